// A source for tests whose tools say how many of their calls may run at once, and for how long.
import { readExecution } from "../../core/registry/execution.ts"
import type { Scope } from "../../core/principal.ts"
import type { ToolResult } from "../../core/result.ts"
import type { Effect } from "../../core/tool.ts"
import { newId } from "../../io/ids.ts"
import type { CallRequest, SourceAdapter } from "../../sources/source-adapter.ts"
import type { Store } from "../../store/store.ts"
import { connectionRow, integrationRow, toolWrite } from "../../store/testing/samples.ts"

/** `execution`: as registry tools store it. */
export type LimitedTool = { readonly name: string; readonly effect?: Effect; readonly execution: Readonly<Record<string, unknown>> }

/** Puts the tools into the tenant's catalog, as `shop.<name>`. */
export async function putLimitedTools(store: Store, scope: Scope, tools: readonly LimitedTool[]): Promise<void> {
  const id = newId("set")
  const rows = tools.map(({ name, effect = "read", execution }) =>
    toolWrite(name, { effect, requiresApproval: effect !== "read", inputSchema: '{"type":"object"}', binding: JSON.stringify(execution) }),
  )
  await store.transaction(async (inside) => {
    await inside.toolSets.put(scope, { id, tools: rows, definitions: new Map() })
    await inside.integrations.put(scope, integrationRow("shop", { kind: "registry", config: "{}" }))
    const open = { template: "none", placements: "[]", bound: "[]", origins: "[]", toolSetId: id } as const
    await inside.connections.put(scope, connectionRow("shop", "org", "main", open))
  })
}

export const limitedSource = (call: (request: CallRequest<unknown>) => Promise<ToolResult>): SourceAdapter => ({
  kind: "registry",
  toolsPer: "connection",
  documentField: null,
  parseConfig: () => ({ config: {}, document: null, urls: [] }),
  listTools: () => Promise.reject(new Error("Its tools are rows that a test wrote")),
  detect: () => Promise.resolve(null),
  executionOf: ({ binding }) => readExecution(JSON.parse(binding) as Record<string, unknown>), // as `putLimitedTools` writes it
  callTool: call,
})
