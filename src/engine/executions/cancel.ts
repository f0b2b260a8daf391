// Cancels an execution: its code, its upstream requests and its pending approvals.
import { setTimeout as sleep } from "node:timers/promises"
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutionReply, RunError } from "../../core/execution.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import type { ExecutionHead, ExecutionRow, Visibility } from "../../store/execution-store.ts"
import { eachPage } from "../../store/all-rows.ts"
import type { After } from "../../store/store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { Cancellation } from "./run-registry.ts"
import type { CancelledBy } from "./run-registry.ts"
import { approvalsOf } from "../approvals/read.ts"
import { cancelChild } from "./children/cancel.ts"
import { endStored } from "./end.ts"
import { awaitSettledElsewhere } from "./await.ts"
import { getChangeable, isChangeable, isIn } from "../execution-access.ts"
import { toReply } from "./reply.ts"

const looksMax = 5
const lookAgainMs = 50

/** Whoever is slower of two that change it at once looks again: most often it is cancelled by then. */
export async function cancelExecution(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionReply> {
  return reply(await lookingAgain(() => cancelOnce(principal, id, parts)), parts)
}

async function cancelOnce(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionRow> {
  const row = await getLiveOrStored(principal, id, parts)
  if (typeof row === "string") return stopHere(row, principal, parts)
  return isOpen(row) ? endAny(row, cancelled(principal), parts) : row
}

async function lookingAgain<Value>(look: () => Promise<Value>): Promise<Value> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof ExecutorError) || error.code !== "conflict" || looks === looksMax) throw error
      await sleep(lookAgainMs)
    }
  }
}

/** A token that is revoked leaves nothing behind that acts in its name, be it stored or not. */
export const cancelOfToken = ({ tenant }: Pick<Principal, "tenant">, tokenId: string, parts: EngineParts): Promise<void> =>
  cancelAll({ tenant, user: null, tokenId }, ["running", "paused"], parts)

/**
 * Of the user and their agents, and of service accounts by these tokens, which ended with the user. What a disabled user's
 * agents wait for is left for an admin to cancel.
 */
export async function cancelOfUser(
  { tenant, user }: Scope,
  endedTokens: readonly string[],
  statuses: readonly OpenStatus[],
  parts: EngineParts,
): Promise<void> {
  await cancelAll({ tenant, user, tokenId: null }, statuses, parts)
  for (const tokenId of endedTokens) await cancelAll({ tenant, user: null, tokenId }, statuses, parts)
}

type OpenStatus = "running" | "paused"

async function cancelAll(who: Visibility, statuses: readonly OpenStatus[], parts: EngineParts): Promise<void> {
  const cancel = (id: string): Promise<void> =>
    lookingAgain(() => cancelStored(who, id, parts)).catch((error: unknown) =>
      parts.log.warn({ executionId: id, error: String(error) }, "An execution whose token or user is gone could not be cancelled"),
    )
  const here = parts.runs.all().filter((live) => isIn(live, who))
  await Promise.all(here.map(({ id }) => cancel(id)))
  for (const status of statuses) for await (const id of openOf(who, status, parts)) await cancel(id)
}

async function* openOf(who: Visibility, status: OpenStatus, parts: EngineParts): AsyncGenerator<string> {
  const list = (page: After<string>): Promise<ExecutionHead[]> => parts.executions.executions.list(who, { status }, page)
  for await (const heads of eachPage(list, ({ id }) => id)) for (const { id } of heads) yield id
}

async function cancelStored(who: Visibility, id: string, parts: EngineParts): Promise<void> {
  if (parts.runs.get(id) !== undefined) return void (await stopHere(id, "revocation", parts))
  const row = await parts.executions.executions.get(who, id)
  if (row !== null && isOpen(row)) await endStored(row, cancelled("revocation"), parts)
}

const isOpen = ({ status }: ExecutionRow): boolean => status === "running" || status === "paused"

/** The id alone when it runs here and may not be stored yet. */
async function getLiveOrStored(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionRow | string> {
  const live = parts.runs.get(id)
  if (live !== undefined && isChangeable(live, principal)) return id
  return getChangeable(principal, id, parts)
}

async function stopHere(id: string, by: CancelledBy, parts: EngineParts): Promise<ExecutionRow> {
  const live = parts.runs.get(id)
  if (live === undefined) throw new ExecutorError("not_found", `There is no execution '${id}'`)
  live.abort.abort(new Cancellation(by))
  const row = await awaitSettledElsewhere(live, live.ended, parts)
  return row.status === "paused" ? endAny(row, cancelled(by), parts) : row
}

const endAny = (row: ExecutionRow, error: RunError, parts: EngineParts): Promise<ExecutionRow> =>
  row.rootId === null ? endStored(row, error, parts) : cancelChild(row, error, parts)

const cancelled = (by: CancelledBy): RunError => ({
  code: "cancelled",
  name: "CancelledError",
  message: new Cancellation(by).message,
})

const reply = async (row: ExecutionRow, parts: EngineParts): Promise<ExecutionReply> => toReply(row, await approvalsOf(row, parts), parts)
