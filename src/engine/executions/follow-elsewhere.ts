// Follows an execution on another node through its rows: its calls as they are recorded, until it ends, pauses or runs here.
//
// Logs and emitted values are stored when the execution ends or pauses, reads when they are done, and what an agent's model
// says with its whole answer, so that fewer events are sent than where it runs.
import { setTimeout as sleep } from "node:timers/promises"
import { textSaid } from "../../agents/loop/recorded-calls.ts"
import type { ExecutionEvent } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import type { CallHead, CallState, ExecutionRow } from "../../store/execution-store.ts"
import { approvalsOf } from "../approvals/read.ts"
import { depthOf } from "../programs/call-tree.ts"
import { modelPrefix } from "./children/allowance.ts"
import { prefixOf, rootIdOf, scoped } from "./children/scope.ts"
import { viewCall } from "./call-view.ts"
import type { EngineParts } from "../engine-parts.ts"
import { getExecution } from "../execution-access.ts"
import { toReply } from "./reply.ts"

const lookEveryMs = 250

/** Answers whether it is over: not when the execution has moved to this node meanwhile. */
export async function* followElsewhere(
  principal: Principal,
  id: string,
  signal: AbortSignal,
  parts: EngineParts,
): AsyncGenerator<ExecutionEvent, boolean> {
  let row = await getExecution(principal, id, parts)
  if (row.status !== "running") return yield* followEnd(row, parts)
  const changes = callChanges(row, parts)
  // Earlier calls are left out: events are those from now on.
  await changes()
  while (!signal.aborted) {
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {})
    if (parts.runs.get(id) !== undefined) return false
    // The row first: the calls of a run are recorded before its outcome.
    row = await getExecution(principal, id, parts)
    for (const call of await changes()) {
      const text = await saidBy(call, row, parts)
      if (text !== "") yield { type: "text", text }
      yield { type: "call", call: viewCall(call) }
    }
    if (row.status !== "running") return yield* followEnd(row, parts)
  }
  return true
}

/** What the model of the run itself said, once its answer is stored: its words come as a whole, before what follows from them. */
async function saidBy({ key, path, state }: CallHead, row: ExecutionRow, { executions }: EngineParts): Promise<string> {
  if (row.program !== "agent" || state !== "done" || !path.startsWith(modelPrefix) || depthOf(key) > 0) return ""
  const answer = await executions.journal.answerOf(row, rootIdOf(row), `${prefixOf(row)}${key}`)
  return answer === null ? "" : textSaid(answer)
}

async function* followEnd(row: ExecutionRow, parts: EngineParts): AsyncGenerator<ExecutionEvent, boolean> {
  const reply = toReply(row, await approvalsOf(row, parts), parts)
  yield row.status === "paused" ? { type: "pause", reply } : { type: "end", reply }
  return true
}

/** Each time it is asked: the calls that are new, or in another state than before. */
function callChanges(row: ExecutionRow, parts: EngineParts): () => Promise<CallHead[]> {
  const seen = new Map<string, CallState>()
  const done = new Set<number>()
  // All calls before it are done and were seen, so that a long execution is not read from its beginning each time.
  let seqMin = 0
  return async () => {
    // The calls of a run that another one started all have the place of that call.
    const all = await parts.executions.journal.calls(row, rootIdOf(row), row.rootId === null ? seqMin : 0)
    const calls = scoped(all, prefixOf(row))
    const changed = calls.filter((call) => seen.get(call.key) !== call.state)
    for (const { key, state, seq } of changed) {
      seen.set(key, state)
      if (state === "done" && depthOf(key) === 0) done.add(seq)
    }
    while (done.has(seqMin)) seqMin += 1
    return changed
  }
}
