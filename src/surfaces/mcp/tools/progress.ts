// Tells a client how far an execution is, when it asked to be told.
import { LOG_LEVEL_META_KEY } from "@modelcontextprotocol/server"
import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server"
import type { ExecutionEvent } from "../../../core/execution.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { systemClock } from "../../../io/clock.ts"

export type Progress = {
  /** Follows this execution from now on. */
  follow(executionId: string): void
  stop(): void
}

const messageCharsMax = 300
/** More often than this nobody can read. */
const quietMs = 50

export function createProgress(api: ExecutorApi, ctx: ServerContext): Progress {
  const progressToken = ctx.mcpReq._meta?.progressToken
  const wantsLogs = LOG_LEVEL_META_KEY in (ctx.mcpReq.envelope ?? {})
  if (progressToken === undefined && !wantsLogs) return { follow: () => {}, stop: () => {} }
  const stop = new AbortController()
  let steps = 0
  let lastMs = -quietMs
  const send = async (event: ExecutionEvent): Promise<void> => {
    if (event.type === "log") await ctx.mcpReq.log(levelOf(event.line.level), event.line.text.slice(0, messageCharsMax), "execute")
    const message = describe(event)
    const nowMs = systemClock.monotonicMs()
    if (message === null || progressToken === undefined || nowMs - lastMs < quietMs) return
    lastMs = nowMs
    steps += 1
    await ctx.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress: steps, message: message.slice(0, messageCharsMax) },
    })
  }
  const run = async (executionId: string): Promise<void> => {
    for await (const event of api.executions.events(executionId, stop.signal)) {
      if (stop.signal.aborted || event.type === "end" || event.type === "pause") return
      await send(event)
    }
  }
  return {
    // Whoever no longer listens is not worth a failure of the execution.
    follow: (executionId) => void run(executionId).catch(() => {}),
    stop: () => stop.abort(),
  }
}

function describe(event: ExecutionEvent): string | null {
  switch (event.type) {
    case "call":
      return `${event.call.address} ${event.call.status}`
    case "progress":
      return `${event.address} ${event.progress}${event.total === undefined ? "" : `/${event.total}`} ${event.message ?? ""}`.trim()
    case "log":
    case "emit":
    case "text":
    case "pause":
    case "end":
      return null
  }
}

const levels: Readonly<Record<string, LoggingLevel>> = {
  debug: "debug",
  trace: "debug",
  log: "info",
  info: "info",
  warn: "warning",
  error: "error",
}
const levelOf = (level: string): LoggingLevel => levels[level] ?? "info"
