// Gives every field of a schema its tool name: `query.<field>` and `mutation.<field>`, as the schema writes it.
import { ToolName } from "../../../core/address.ts"
import { sha256 } from "../../../io/ids.ts"
import { safeSegment, toolNameBytesMax } from "../../tool-name.ts"

export type NamedField = { readonly operation: "query" | "mutation"; readonly field: string }

export const rawToolName = ToolName.make("graphql")

/** A name that is too long is cut, and `then` gives way to a field that is called `then_`; both get a hash. */
export function fieldToolName({ operation, field }: NamedField, hasField: (name: string) => boolean): ToolName {
  const segment = safeSegment(field)
  const name = `${operation}.${segment}`
  const isTaken = segment !== field && hasField(segment)
  if (name.length <= toolNameBytesMax && !isTaken) return ToolName.make(name)
  const suffix = `_${sha256(`${operation} ${field}`).slice(0, 8)}`
  return ToolName.make(`${name.slice(0, toolNameBytesMax - suffix.length)}${suffix}`)
}
