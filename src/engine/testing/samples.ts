// Calls and tools for unit tests of the engine: valid, small, and changed where a test needs it.
import { expect, vi } from "vitest"
import type { StaticCall, StaticTool } from "../../catalog/static-tool.ts"
import type { PolicyVerdict } from "../../catalog/policies/evaluator.ts"
import type { ToolResult } from "../../core/result.ts"
import type { Effect } from "../../core/tool.ts"
import type { ExecutionRow } from "../../store/execution-store.ts"
import type { ActiveRun } from "../executions/run-registry.ts"
import type { CallTarget, ToolCall } from "../gate/call.ts"

export const gateCall = (change: Partial<ToolCall> = {}): ToolCall => {
  const args = change.args ?? { title: "x" }
  return { kind: "tool", key: "k:0", seq: 0, path: "notes.write", argsJson: JSON.stringify(args), args, line: 1, ...change }
}

export const callTarget = (change: Partial<CallTarget> = {}): CallTarget => ({
  address: "notes.write",
  subject: "notes.write",
  effect: "write",
  requiresApproval: true,
  effectOf: null,
  execution: null,
  readArgs: null,
  alwaysAsks: false,
  title: "Write a note",
  approvalDescription: null,
  version: () => null,
  definitionHash: () => "hash of the definition",
  checkArgs: async () => null,
  preview: () => null,
  open: async () => ({ ok: true, secrets: [], call: async () => ({ ok: true, data: null }) }),
  ...change,
})

export const asks: PolicyVerdict = { action: "require_approval", rule: null, conditional: false }
export const allows: PolicyVerdict = { action: "allow", rule: null, conditional: false }

/** A tool of the engine's own, as plugins without credentials bring them. */
export const staticTool = (fqid: string, effect: Effect, call: (call: StaticCall) => Promise<ToolResult>): StaticTool => ({
  fqid,
  pluginId: "test",
  source: { name: "Test", description: "" },
  title: fqid,
  description: fqid,
  effect,
  requiresApproval: effect !== "read",
  alwaysAsks: false,
  audience: "everyone",
  mayElicit: false,
  inputSchema: { type: "object" },
  outputSchema: null,
  call,
})

/** A run of this row on a node, which a test ends as it likes. */
export const activeRun = (row: ExecutionRow, change: Partial<ActiveRun> = {}): ActiveRun => ({
  tenant: row.tenant,
  user: row.user,
  id: row.id,
  rootId: row.rootId,
  tokenId: row.tokenId,
  abort: new AbortController(),
  run: row.run,
  ended: new Promise(() => {}),
  isStored: true,
  isVisibleTo: () => true,
  leaseUntilMs: 0,
  logs: [],
  words: "",
  time: () => ({ usedMs: 0, wallMs: row.wallMs }),
  calls: () => [],
  ...change,
})

export type GatedTool = {
  readonly tool: StaticTool
  count(): number
  /** By which that call is broken off. */
  signalOf(index: number): AbortSignal | undefined
  /** Resolves when it was called so often. */
  calls(count: number): Promise<void>
  answerOne(index: number, result: ToolResult): void
  /** Those that are called and those to come. */
  answer(result: ToolResult): void
}

/** A tool whose calls are under way until a test answers them. */
export function gatedTool(fqid: string, effect: Effect): GatedTool {
  const gates: PromiseWithResolvers<ToolResult>[] = []
  const signals: AbortSignal[] = []
  const all = Promise.withResolvers<ToolResult>()
  return {
    tool: staticTool(fqid, effect, ({ signal }) => {
      signals.push(signal)
      const gate = Promise.withResolvers<ToolResult>()
      gates.push(gate)
      return Promise.race([gate.promise, all.promise])
    }),
    count: () => gates.length,
    signalOf: (index) => signals[index],
    calls: (count) => vi.waitFor(() => expect(gates.length).toBeGreaterThanOrEqual(count), { timeout: 10_000, interval: 2 }),
    answerOne: (index, result) => gates[index]?.resolve(result),
    answer: (result) => all.resolve(result),
  }
}
