// What the person who is signed in may do, as the reason that a control shows where they may not.
import { useQuery } from "@tanstack/react-query"
import { meQuery } from "./query.ts"

/** Null: they may. */
export function useMissingRight(right: string): string | null {
  const { data: me } = useQuery(meQuery)
  if (me === undefined) return "Your rights are being loaded"
  return me.rights.some((held) => held.right === right || held.right === "admin") ? null : `Needs the right ${right}`
}
