// The built-ins by their path: each checks its arguments and answers exactly its output.
import { builtinPaths } from "../../core/call/builtins.ts"
import type { BuiltinPath } from "../../core/call/builtins.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import type { ResultPieceRequest, ResultText } from "../../core/executor-api.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { prepareArgsCheck } from "../../arguments/arguments.ts"
import { object, text } from "./schema.ts"
import { describeTool } from "./describe.ts"
import type { DescribeQuery } from "./describe.ts"
import { catalogTools, discover, listNamespaces, listSources } from "./discovery.ts"
import type { DiscoverQuery } from "./discovery.ts"
import type { DiscoveryParts } from "./discovery-parts.ts"
import { searchBriefly, searchTools } from "./search.ts"
import type { SearchQuery } from "./tool-ranking.ts"

/** What it throws rejects in the code. */
export type Builtin = (principal: Principal, args: Record<string, unknown>) => Promise<unknown>

export type BuiltinParts = DiscoveryParts & {
  readResult(principal: Principal, executionId: string, piece: ResultPieceRequest): Promise<ResultText>
}

type Definition = {
  readonly input: JsonSchema
  readonly work: (principal: Principal, args: never, parts: BuiltinParts) => Promise<unknown>
}

const count = { type: "integer", minimum: 0 }
/** They share the room of one answer. */
const definitionsAskedMax = 20

// Arguments are checked against `input` first, which is what the parameter types of `work` rely on.
const definitions: Record<BuiltinPath, Definition> = {
  search: {
    input: object({ query: text, namespace: text, limit: count, offset: count, verbose: { type: "boolean" } }, ["query"]),
    work: (principal, { verbose, ...query }: SearchQuery & { verbose?: boolean }, parts) =>
      verbose === true ? searchTools(principal, query, parts) : searchBriefly(principal, query, parts),
  },
  "describe.tool": {
    input: object({ path: text, definitions: { type: "array", items: text, maxItems: definitionsAskedMax } }, ["path"]),
    work: (principal, args: DescribeQuery, parts) => describeTool(principal, args, parts),
  },
  "executor.sources.list": {
    input: object({ query: text, limit: count, offset: count }),
    work: (principal, args: { query?: string }, parts) => listSources(principal, args, parts),
  },
  "catalog.namespaces": { input: object({}), work: (principal, _args: object, parts) => listNamespaces(principal, parts) },
  "catalog.tools": {
    input: object({ namespace: text, query: text, limit: count }),
    work: (principal, args: { namespace?: string }, parts) => catalogTools(principal, args, parts),
  },
  discover: {
    input: object({ query: text, limit: count, compact: { type: "boolean" }, includeSchemas: { type: "boolean" } }, ["query"]),
    work: (principal, args: DiscoverQuery, parts) => discover(principal, args, parts),
  },
  "executor.results.read": {
    input: object({ executionId: text, offset: count, length: count }, ["executionId"]),
    work: (principal, { executionId, ...piece }: ResultPieceRequest & { executionId: string }, parts) =>
      parts.readResult(principal, executionId, piece),
  },
}

export const createBuiltins = (parts: BuiltinParts): ReadonlyMap<string, Builtin> =>
  new Map(builtinPaths.map((path) => [path, toBuiltin(path, definitions[path], parts)]))

function toBuiltin(path: BuiltinPath, { input, work }: Definition, parts: BuiltinParts): Builtin {
  const { check } = prepareArgsCheck(input, () => undefined)
  return async (principal, args: unknown) => {
    if (typeof args === "string") throw bareText(path, input, args)
    const verdict = check(args)
    if (!verdict.ok) throw new ExecutorError("invalid_arguments", verdict.message, { issues: verdict.issues })
    return work(principal, args as never, parts) // checked against `input` just now
  }
}

const exampleCharsMax = 200

/** Shows how what was passed as it is would be named. */
function bareText(path: string, { required }: JsonSchema, passed: string): ExecutorError {
  const [name] = Array.isArray(required) ? (required as string[]) : [] // as the definitions above have it
  const given = JSON.stringify(passed.slice(0, exampleCharsMax))
  const message = `The arguments must be an object: tools.${path}(${name === undefined ? "{}" : `{ ${name}: ${given} }`})`
  return new ExecutorError("invalid_arguments", message, { issues: [{ path: "", code: "wrong_type", message }] })
}
