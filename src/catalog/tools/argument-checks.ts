// Checks a call's arguments against its tool's schema, prepared once for all tools that share it.
import type { Limits } from "../../core/limits.ts"
import type { Scope } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { JsonSchema } from "../../core/tool.ts"
import type { Store, ToolRow } from "../../store/store.ts"
import { createArgsCheckCache, prepareArgsCheck } from "../../arguments/arguments.ts"
import type { ArgsCheck } from "../../arguments/arguments.ts"
import { definitionIn, reachableDefinitions } from "./schema-definitions.ts"

export type ArgsChecker = { check(scope: Scope, tool: ToolRow, args: unknown, argsJson: string): Promise<ToolFailure | null> }

export function createArgsChecker(parts: { readonly store: Store; readonly limits: Limits }): ArgsChecker {
  const prepared = createArgsCheckCache()

  const prepare = async (scope: Scope, tool: ToolRow): Promise<ArgsCheck> => {
    const definitions = await reachableDefinitions(scope, tool.toolSetId, [tool.inputSchema], parts.store)
    const schema = JSON.parse(tool.inputSchema) as JsonSchema // the compiler emits objects
    return prepareArgsCheck(schema, (name) => definitionIn(definitions, name), parts.limits)
  }

  return {
    async check(scope, tool, args, argsJson) {
      const key = { toolSetId: tool.toolSetId, schemaHash: tool.inputSchemaHash }
      const check = prepared.get(key) ?? (await prepare(scope, tool))
      prepared.put(key, check)
      const verdict = check.check(args, argsJson)
      return verdict.ok ? null : fail("invalid_arguments", verdict.message, { details: { issues: verdict.issues } })
    },
  }
}
