// What the values of a scalar look like in JSON.
import type { GraphQLScalarType } from "graphql"
import type { JsonSchema } from "../../../core/tool.ts"

/** The five that every schema has; an ID may be given as a number, as the specification says. */
const builtIn: ReadonlyMap<string, { readonly input: JsonSchema; readonly output: JsonSchema }> = new Map([
  ["Int", { input: { type: "integer" }, output: { type: "integer" } }],
  ["Float", { input: { type: "number" }, output: { type: "number" } }],
  ["String", { input: { type: "string" }, output: { type: "string" } }],
  ["Boolean", { input: { type: "boolean" }, output: { type: "boolean" } }],
  ["ID", { input: { type: ["string", "integer"] }, output: { type: "string" } }],
])

export const builtInScalar = (name: string, use: "input" | "output"): JsonSchema | null => builtIn.get(name)?.[use] ?? null

/**
 * What servers usually mean by a name, said to readers only: a scalar's form is its server's own, and one `Date` is a text
 * where another is a number. So nothing is refused here for it.
 */
const usual: ReadonlyMap<string, string> = new Map([
  ...named("a text such as 2024-01-31T12:00:00Z", "DateTime DateTimeISO ISO8601DateTime Timestamptz GitTimestamp PreciseDateTime"),
  ...named("a text such as 2024-01-31", "Date ISO8601Date LocalDate"),
  ...named("a text such as 12:00:00", "Time LocalTime"),
  ...named("a text such as PT1H30M, or a number", "Duration ISO8601Duration"),
  ...named("a URL", "URI URL Url"),
  ...named("a UUID", "UUID Uuid"),
  ...named("an email address", "Email EmailAddress"),
  ...named("a text", "HTML Markdown GitObjectID GitRefname GitSSHRemote Base64String Base64 X509Certificate Color HexColorCode"),
  ...named("an integer, or a text of its digits", "BigInt Long UnsignedInt64 UInt64 Int64"),
  ...named("a number, or a text of its digits", "Decimal BigDecimal Numeric"),
  ...named("an integer", "PositiveInt NonNegativeInt UnsignedInt Int32 Byte Short"),
  ...named("an object", "JSONObject"),
])

function named(form: string, names: string): [string, string][] {
  return names.split(" ").map((name) => [name, form])
}

export function customScalar(type: GraphQLScalarType, description: string): JsonSchema {
  const form = usual.get(type.name)
  const hint = form === undefined ? `The scalar ${type.name}, in the form its server defines.` : `${type.name}: usually ${form}.`
  const told = [description || hint, type.specifiedByURL ? `Specified by ${type.specifiedByURL.slice(0, 500)}` : ""]
  return { description: told.filter((line) => line !== "").join("\n") }
}
