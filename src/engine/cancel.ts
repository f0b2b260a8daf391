// Stops an execution: its code, its upstream requests and what it asked of humans.
import { ExecutorError } from "../core/errors.ts"
import type { ExecutionReply, RunError } from "../core/execution.ts"
import type { Principal } from "../core/principal.ts"
import type { ExecutionRow, Visibility } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"
import { approvalsOf } from "./execute.ts"
import { endStored } from "./execution-end.ts"
import { restElsewhere } from "./execution-wait.ts"
import { getExecution } from "./execution-access.ts"
import { toReply } from "./execution-reply.ts"

export async function cancelExecution(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionReply> {
  const row = await getLiveOrStored(principal, id, parts)
  if (typeof row === "string") return reply(await stopHere(row, parts), parts)
  if (row.status !== "running" && row.status !== "paused") return reply(row, parts)
  return reply(await endStored(row, cancelled(principal), parts), parts)
}

/** A token that is revoked leaves nothing behind that acts in its name. */
export async function cancelOfToken(principal: Principal, tokenId: string, parts: EngineParts): Promise<void> {
  const who = { tenant: principal.tenant, user: null, tokenId }
  const page = { after: null, limit: parts.limits.pageSizeMax }
  for (const status of ["running", "paused"] as const)
    for (const { id } of await parts.executions.executions.list(who, { status }, page))
      await cancelStored(who, id, principal, parts).catch((error: unknown) =>
        parts.log.warn({ executionId: id, error: String(error) }, "An execution of a revoked token could not be cancelled"),
      )
}

async function cancelStored(who: Visibility, id: string, principal: Principal, parts: EngineParts): Promise<void> {
  if (parts.live.get(id) !== undefined) return void (await stopHere(id, parts))
  const row = await parts.executions.executions.get(who, id)
  if (row?.status === "running" || row?.status === "paused") await endStored(row, cancelled(principal), parts)
}

/** The id alone when it runs here and may not be stored yet. */
async function getLiveOrStored(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionRow | string> {
  const live = parts.live.get(id)
  if (live !== undefined && live.tenant === principal.tenant && live.isVisibleTo(principal)) return id
  return getExecution(principal, id, parts)
}

async function stopHere(id: string, parts: EngineParts): Promise<ExecutionRow> {
  const live = parts.live.get(id)
  if (live === undefined) throw new ExecutorError("not_found", `There is no execution '${id}'`)
  live.abort.abort()
  const row = await restElsewhere(live, live.ended, parts)
  return row.status === "paused" ? endStored(row, cancelled(null), parts) : row
}

const cancelled = (principal: Principal | null): RunError => ({
  code: "cancelled",
  name: "CancelledError",
  message:
    principal === null
      ? "The execution was cancelled"
      : `The execution was cancelled by ${principal.kind === "agent" ? "an agent" : "a human"}`,
})

const reply = async (row: ExecutionRow, parts: EngineParts): Promise<ExecutionReply> => toReply(row, await approvalsOf(row, parts), parts)
