// What models write instead of `query`, read as what they mean.

const aliases = ["q", "text", "input", "question", "search"] as const

const isScalar = (value: unknown): value is string | number | boolean => ["string", "number", "boolean"].includes(typeof value)

/** The same arguments with a text as `query`, where one of its usual other names or a plain value holds it. */
export function readQueryArgs(args: unknown): unknown {
  if (isScalar(args)) return { query: String(args) }
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args
  const given = args as Readonly<Record<string, unknown>> // the only other objects
  const { query } = given
  if (typeof query === "string") return args
  if (isScalar(query)) return { ...given, query: String(query) }
  if (query !== undefined && query !== null) return args
  const alias = aliases.find((name) => isScalar(given[name]))
  if (alias === undefined) return args
  const { [alias]: value, query: _missing, ...rest } = given
  return { ...rest, query: String(value) }
}

/** The same of named arguments. */
export const readNamedQueryArgs = (args: Record<string, unknown>): Record<string, unknown> => readQueryArgs(args) as Record<string, unknown> // made of one
