// The paths of the built-ins: tools for discovery that Executor itself answers to code, as values without an envelope.
export const builtinPaths = [
  "search",
  "describe.tool",
  "executor.sources.list",
  "catalog.namespaces",
  "catalog.tools",
  "discover",
  "executor.results.read",
] as const

export type BuiltinPath = (typeof builtinPaths)[number]
