// Checks a call's arguments against its tool's schema, prepared once for all tools that share it.
import { LruMap } from "../core/lru-map.ts"
import type { Limits } from "../core/limits.ts"
import type { Scope } from "../core/principal.ts"
import { fail } from "../core/result.ts"
import type { ToolFailure } from "../core/result.ts"
import type { JsonSchema } from "../core/tool.ts"
import type { Store, ToolRow } from "../store/store.ts"
import { prepareArgsCheck } from "./check-args.ts"
import type { ArgsCheck } from "./check-args.ts"
import { reachableDefinitions } from "./tool-schema.ts"

export type ArgsChecker = { check(scope: Scope, tool: ToolRow, args: unknown): Promise<ToolFailure | null> }

const preparedMax = 2000

export function createArgsChecker(parts: { readonly store: Store; readonly limits: Limits }): ArgsChecker {
  const prepared = new LruMap<string, ArgsCheck>(preparedMax)

  const prepare = async (scope: Scope, tool: ToolRow): Promise<ArgsCheck> => {
    const definitions = await reachableDefinitions(scope, tool.toolSetId, [tool.inputSchema], parts.store)
    const schema = JSON.parse(tool.inputSchema) as JsonSchema // the compiler emits objects
    return prepareArgsCheck(schema, (name) => definitions.get(name), parts.limits)
  }

  return {
    async check(scope, tool, args) {
      // The same text can mean something else in another set, because its definitions are that set's.
      const key = `${scope.tenant}/${tool.toolSetId}/${tool.inputSchemaHash}`
      const check = prepared.get(key) ?? prepared.set(key, await prepare(scope, tool))
      const verdict = check.check(args)
      return verdict.ok ? null : fail("invalid_arguments", verdict.message, { details: { issues: verdict.issues } })
    },
  }
}
