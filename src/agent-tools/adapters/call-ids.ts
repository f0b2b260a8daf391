// Gives every call of an answer an id of its own: some servers send none, or the same one for all.
import { newId } from "../../io/ids.ts"

export function createCallIds(): (given: unknown) => string {
  const used = new Set<string>()
  return (given) => {
    const id = typeof given === "string" && given !== "" && !used.has(given) ? given : newId("call")
    used.add(id)
    return id
  }
}
