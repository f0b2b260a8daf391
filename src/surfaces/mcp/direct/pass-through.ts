// What a client of the pass-through brings along for the upstream, and what it hears of it on the way.
import { CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY } from "@modelcontextprotocol/server"
import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server"
import type { CallNotice } from "../../../core/call/notice.ts"
import type { McpPassThrough } from "../../../core/call/pass-through.ts"
import type { HostCall } from "../tools/execute.ts"

/** An upstream may ask the client's human only where this client may; its models and folders are the client's own affair. */
export function passThroughOf({ asker, ctx, server }: HostCall): Pick<McpPassThrough, "capabilities" | "logLevel"> {
  const envelope: Record<string, unknown> = { ...ctx.mcpReq.envelope }
  const { elicitation, ...others } = { ...(envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()) } as Record<
    string,
    unknown
  > // the library has checked them
  const mayAsk = asker.options.mode === "native" && elicitation !== undefined
  const logLevel = envelope[LOG_LEVEL_META_KEY]
  const isModern = ctx.mcpReq.envelope !== undefined
  return {
    capabilities: { ...others, ...(mayAsk ? { elicitation } : {}) },
    // Older clients hear everything until they say otherwise.
    logLevel: typeof logLevel === "string" ? logLevel : isModern ? null : "debug",
  }
}

export function noticesTo(ctx: ServerContext): (notice: CallNotice) => void {
  const progressToken = ctx.mcpReq._meta?.progressToken
  const send = async (notice: CallNotice): Promise<void> => {
    if (notice.type === "log") return ctx.mcpReq.log(levelOf(notice.level), notice.text)
    if (progressToken === undefined) return
    const { type: _type, ...params } = notice
    await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...params } })
  }
  // Whoever no longer listens is no reason for the call to fail.
  return (notice) => void send(notice).catch(() => {})
}

const levels: readonly LoggingLevel[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
const levelOf = (level: string): LoggingLevel => levels.find((one) => one === level) ?? "info"
