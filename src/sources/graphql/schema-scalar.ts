// What the values of a scalar look like in JSON.
import type { GraphQLScalarType } from "graphql"
import type { JsonSchema } from "../../core/tool.ts"

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
 * Names that servers agree on. What the JSON is follows from the name only here; a scalar of another name may be anything,
 * and one that says more (a format) says it for readers: what fits is the upstream's to judge.
 */
const known: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ...words("date-time", "DateTime", "DateTimeISO", "ISO8601DateTime", "Timestamptz", "GitTimestamp", "PreciseDateTime"),
  ...words("date", "Date", "ISO8601Date", "LocalDate"),
  ...words("time", "Time", "LocalTime"),
  ...words("duration", "Duration", "ISO8601Duration"),
  ...words("uri", "URI", "URL", "Url"),
  ...words("uuid", "UUID", "Uuid"),
  ...words("email", "Email", "EmailAddress"),
  ...[
    "HTML",
    "Markdown",
    "GitObjectID",
    "GitRefname",
    "GitSSHRemote",
    "Base64String",
    "Base64",
    "X509Certificate",
    "Color",
    "HexColorCode",
  ].map((name): [string, JsonSchema] => [name, { type: "string" }]),
  ...["BigInt", "Long", "UnsignedInt64", "UInt64", "Int64"].map((name): [string, JsonSchema] => [name, { type: ["integer", "string"] }]),
  ...["Decimal", "BigDecimal", "Money", "Numeric"].map((name): [string, JsonSchema] => [name, { type: ["number", "string"] }]),
  ...["PositiveInt", "NonNegativeInt", "UnsignedInt", "Int32", "Byte", "Short"].map((name): [string, JsonSchema] => [
    name,
    { type: "integer" },
  ]),
  ["JSONObject", { type: "object" }],
])

function words(format: string, ...names: readonly string[]): [string, JsonSchema][] {
  return names.map((name) => [name, { type: "string", format }])
}

export function customScalar(type: GraphQLScalarType, description: string): JsonSchema {
  const told = [description, type.specifiedByURL ? `Specified by ${type.specifiedByURL.slice(0, 500)}` : ""]
  const text = told.filter((line) => line !== "").join("\n") || `The scalar ${type.name}, in the form its server defines.`
  return { ...known.get(type.name), description: text }
}
