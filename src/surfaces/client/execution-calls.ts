// Code mode over HTTP: running code, what it waits for, and what happened.
import type { AuditFilter, AuditView } from "../../core/audit/entry.ts"
import { ExecutorError } from "../../core/errors.ts"
import type {
  ApprovalsEvent,
  ApprovalView,
  ExecutionEvent,
  ExecutionReply,
  ExecutionSummary,
  ExecutionView,
  Replied,
} from "../../core/execution.ts"
import type { ExecutorApi, ResultPiece } from "../../core/executor-api.ts"
import type { AccessExplanation } from "../../core/people/access-explanation.ts"
import type { Backtest, PatternCount } from "../../core/console/backtest.ts"
import type { CallDetail } from "../../core/console/execution-calls.ts"
import type { LiveEvent } from "../../core/console/live-event.ts"
import type { Page } from "../../core/page.ts"
import type { PolicyExplanation, PolicyView } from "../../core/policy.ts"
import { createPausesSeen } from "./pauses-seen.ts"
import { answerError, pathTo } from "./transport.ts"
import type { Transport } from "./transport.ts"

type ExecutionCalls = Pick<ExecutorApi, "run" | "resume" | "executions" | "ids" | "approvals" | "policies" | "access" | "audit" | "events">

export function executionCalls(http: Transport): ExecutionCalls {
  const pauses = createPausesSeen()
  const reply = async (path: string, { signal, ...body }: Replied & Readonly<Record<string, unknown>>): Promise<ExecutionReply> =>
    pauses.see(await http.send<ExecutionReply>("POST", path, { holds: "executionId", body, ...(signal === undefined ? {} : { signal }) }))
  return {
    // The signal ends the waiting alone, unless the request asks to be cancelled with it: an execution goes on without whoever started it.
    run: (code, options = {}) => reply("/executions", { code, ...options }),
    resume: async (id, answer) => reply(`${pathTo("executions", id)}/resume`, pauses.named(id, answer)),
    executions: {
      list: ({ status, principal, tool, query, since, until, parentId, limit, cursor } = {}) =>
        http.send<Page<ExecutionSummary>>("GET", "/executions", {
          holds: "items",
          query: { status, principal, tool, query, since, until, parentId, limit, cursor },
        }),
      calls: async (id, { limit, cursor } = {}) =>
        http.send<Page<CallDetail>>("GET", `${pathTo("executions", id)}/calls`, { holds: "items", query: { limit, cursor } }),
      get: async (id) => pauses.see(await http.send<ExecutionView>("GET", pathTo("executions", id), { holds: "executionId" })),
      result: async (id, { offset, length } = {}) =>
        http.send<ResultPiece>("GET", `${pathTo("executions", id)}/result`, { holds: "text", query: { offset, length } }),
      cancel: async (id) => http.send<ExecutionReply>("POST", `${pathTo("executions", id)}/cancel`, { holds: "executionId" }),
      events: (id, signal) => followExecution(id, signal, http),
    },
    ids: { find: async (prefix) => (await http.send<Page<string>>("GET", "/ids", { holds: "items", query: { prefix } })).items },
    approvals: {
      list: ({ executionId, waitingFor, limit, cursor } = {}) =>
        http.send<Page<ApprovalView>>("GET", "/approvals", { holds: "items", query: { executionId, waitingFor, limit, cursor } }),
      get: async (id) => http.send<ApprovalView>("GET", pathTo("approvals", id), { holds: "approvalId" }),
      answer: async (id, answer) => reply(pathTo("approvals", id), answer),
      events: (signal) => followAll<ApprovalsEvent>("/approvals/events", signal, {}, http),
    },
    policies: {
      list: async () => (await http.send<Page<PolicyView>>("GET", "/policies", { holds: "items" })).items.slice(),
      create: (input) => http.send<PolicyView>("POST", "/policies", { holds: "id", body: input }),
      update: async (id, change) => http.send<PolicyView>("PATCH", pathTo("policies", id), { holds: "id", body: change }),
      remove: async (id) => http.send<void>("DELETE", pathTo("policies", id)),
      explain: (input) => http.send<PolicyExplanation>("POST", "/policies/explain", { body: input }),
      backtest: (request, options = {}) => http.send<Backtest>("POST", "/policies/backtest", { holds: "rows", body: request, ...options }),
      matches: async (patterns, options = {}) =>
        (await http.send<{ items: PatternCount[] }>("POST", "/policies/matches", { holds: "items", body: { patterns }, ...options })).items,
    },
    events: {
      follow: ({ after, signal } = {}) =>
        followAll<LiveEvent>("/events", signal, after === undefined ? {} : { "last-event-id": after }, http),
    },
    access: { explain: (input) => http.send<AccessExplanation>("POST", "/access/explain", { holds: "steps", body: input }) },
    audit: {
      export: ({ format, ...filter }, { signal } = {}) =>
        http.text("/audit/export", { query: { format, ...auditQuery(filter) }, ...(signal === undefined ? {} : { signal }) }),
      list: ({ limit, cursor, ...filter } = {}) =>
        http.send<Page<AuditView>>("GET", "/audit", { holds: "items", query: { ...auditQuery(filter), limit, cursor } }),
    },
  }
}

const auditQuery = ({ id, executionId, action, rule, outcome, user, subject, from, to }: AuditFilter) => ({
  id,
  executionId,
  action,
  rule,
  outcome,
  user,
  subject,
  from,
  to,
})

async function* followExecution(id: string, signal: AbortSignal | undefined, http: Transport): AsyncGenerator<ExecutionEvent> {
  try {
    for await (const { name, data } of http.stream(`${pathTo("executions", id)}/events`, signal)) {
      const event: unknown = JSON.parse(data)
      if (name === "error") throw answerError(event, 200, "The server")
      yield event as ExecutionEvent // the server documents what it sends
      if (name === "end" || name === "pause") return
    }
  } catch (error) {
    // As in-process, whoever stops following is told nothing more.
    if (signal?.aborted === true) return
    throw error instanceof ExecutorError ? error : brokenOff(id, error)
  }
  if (signal?.aborted !== true) throw brokenOff(id)
}

/** Events without an end of their own. */
async function* followAll<Event>(
  path: string,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>>,
  http: Transport,
): AsyncGenerator<Event> {
  const lost = "The server stopped sending events; follow them again"
  try {
    for await (const { name, data } of http.stream(path, signal, headers)) {
      const event: unknown = JSON.parse(data)
      if (name === "error") throw answerError(event, 200, "The server")
      yield event as Event // the server documents what it sends
    }
  } catch (error) {
    if (signal?.aborted === true) return
    throw error instanceof ExecutorError ? error : streamLost(lost, error)
  }
  if (signal?.aborted !== true) throw streamLost(lost)
}

const brokenOff = (id: string, error?: unknown): ExecutorError =>
  streamLost(`The server stopped sending events of execution '${id}' before it ended or paused; follow it again`, error)

const streamLost = (message: string, error?: unknown): ExecutorError =>
  new ExecutorError("upstream_unreachable", message, { reason: error instanceof Error ? error.message : "the stream ended" })
