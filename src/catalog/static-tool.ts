// A tool without a connection: core tools and plugins without auth, known by their fqid.
import type { CallNotice } from "../core/call/notice.ts"
import type { Elicit } from "../core/call/elicit.ts"
import type { RunCode } from "../core/call/program.ts"
import type { Principal } from "../core/principal.ts"
import type { ToolResult } from "../core/result.ts"
import type { Effect, JsonSchema } from "../core/tool.ts"
import type { AnswerTurn } from "../io/answer-turn.ts"

export type StaticTool = {
  /** e.g. `executor.coreTools.connections.list` */
  readonly fqid: string
  readonly pluginId: string
  /** Who brings it: the same for all tools of one first segment. */
  readonly source: StaticSource
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly requiresApproval: boolean
  /** Where the arguments say what a call does; without it every call has the effect above. */
  readonly effectOf?: (args: Readonly<Record<string, unknown>>) => Effect
  /** The argument with the address of the caller's choosing: reads ask too, and "always" means that host. */
  readonly addressArg?: string
  /** Reads what callers write in other words as the arguments that they mean. */
  readonly readArgs?: (args: Record<string, unknown>) => Record<string, unknown>
  /** Pauses whatever the policies say, because it changes what others can do. */
  readonly alwaysAsks: boolean
  /** `admin`: for human admins only; others do not see it. */
  readonly audience: "everyone" | "admin"
  readonly mayElicit: boolean
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | null
  call(request: StaticCall): Promise<ToolResult>
}

export type StaticCall = {
  readonly principal: Principal
  readonly args: Record<string, unknown>
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Asks the human for input, and pauses the execution until it is there. */
  readonly elicit: Elicit
  readonly answerTurn: AnswerTurn
  /** For tools that are made of code. */
  readonly runCode: RunCode
  notify(notice: CallNotice): void
}

export type StaticSource = { readonly name: string; readonly description: string }

export type StaticTools = {
  find(fqid: string): StaticTool | undefined
  list(): readonly StaticTool[]
  /** Of the tools with this first segment. */
  source(slug: string): StaticSource
}

export const slugOfStatic = (tool: StaticTool): string => tool.fqid.slice(0, tool.fqid.indexOf("."))

export function createStaticTools(tools: readonly StaticTool[]): StaticTools {
  const byFqid = new Map(tools.map((tool) => [tool.fqid, tool]))
  const sorted = [...byFqid.values()].toSorted((a, b) => (a.fqid < b.fqid ? -1 : 1))
  const sources = new Map(sorted.map((tool) => [slugOfStatic(tool), tool.source]))
  return {
    find: (fqid) => byFqid.get(fqid),
    list: () => sorted,
    source: (slug) => sources.get(slug) ?? { name: slug, description: "" },
  }
}
