// Everything that the gate asks, in memory, with one tool behind a connection; it writes down what the gate does, in order.
import { production } from "../../../catalog/tools/working-copies.ts"
import { withLimits } from "../../../core/limits.ts"
import type { Principal } from "../../../core/principal.ts"
import type { ExecutionSettings } from "../../../core/registry/execution.ts"
import { fail, succeed } from "../../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../../core/result.ts"
import type { Effect } from "../../../core/tool.ts"
import type { Builtin } from "../../../catalog/builtins/builtins.ts"
import type { PolicyVerdict } from "../../../catalog/policies/evaluator.ts"
import { createStaticTools } from "../../../catalog/static-tool.ts"
import type { ResolvedTool } from "../../../catalog/tools/resolver.ts"
import type { Access } from "../../../identity/access.ts"
import { reachOf } from "../../../policy/visible.ts"
import type { CallRequest } from "../../../sources/source-adapter.ts"
import type { ApprovalDecision, QuestionState, Resumption } from "../approver.ts"
import type { GateCall } from "../call.ts"
import type { GateContext } from "../context.ts"
import { gate } from "../gate.ts"
import type { GateParts } from "../gate.ts"
import type { Recorded } from "../journal.ts"
import type { PlaceQueue, Places } from "../places.ts"
import { unsharedPlaces } from "../run-places.ts"

/** What the caller gets, with the step of the journal that made it. */
export type Answer = { readonly as: "replayed" | "refused" | "built-in" | "waiting" | "done"; readonly value: unknown }

/** How each stage is to answer; what is left out lets the call pass. */
export type Stages = {
  readonly recorded?: Recorded<Answer>
  readonly isRevoked?: boolean
  readonly exhausted?: ToolFailure
  readonly builtin?: Builtin
  readonly isAmbiguous?: boolean
  /** What the roles of the caller include. */
  readonly patterns?: readonly string[]
  readonly invalid?: ToolFailure
  readonly effectOfArgs?: Effect
  readonly execution?: Partial<ExecutionSettings>
  /** The default group of the run; without it, the call is alone. */
  readonly runPlaces?: PlaceQueue
  /** The groups of the tenant. */
  readonly places?: Places
  readonly placeWaitMs?: number
  readonly signal?: AbortSignal
  /** Whether the token is revoked while the call waits. */
  readonly isRevokedLater?: boolean
  readonly action?: PolicyVerdict["action"]
  readonly approval?: ApprovalDecision
  readonly secret?: string | null
  readonly resumption?: Resumption
  readonly question?: QuestionState
  work?(request: CallRequest<unknown>): Promise<ToolResult>
}

export const principal: Principal = { tenant: "t", user: "u", roles: [], rights: [], kind: "agent", tokenId: "tok_1" }
export const call: GateCall = { kind: "tool", key: "k:0", seq: 0, path: "shop.orders.create", argsJson: '{"n":1}', args: { n: 1 }, line: 1 }

export class Revoked extends Error {}

export async function pass(stages: Stages, asked: GateCall = call) {
  const steps: string[] = []
  const answer = gate(asked, contextOf(stages, steps), partsOf(stages, steps))
  return { answer: await answer.catch((error: unknown) => error), steps }
}

function contextOf(stages: Stages, steps: string[]): GateContext<Answer> {
  const step = <Value>(name: string, value: Value): Value => {
    steps.push(name)
    return value
  }
  return {
    principal,
    session: "s",
    mode: production,
    signal: stages.signal ?? new AbortController().signal,
    timeoutMs: 1000,
    places: stages.runPlaces ?? unsharedPlaces,
    placeWaitMs: stages.placeWaitMs ?? 60_000,
    current() {
      const isRevoked = stages.isRevoked === true || (stages.isRevokedLater === true && steps.includes("principal"))
      return step("principal", isRevoked ? Promise.reject(new Revoked()) : Promise.resolve(principal))
    },
    budget: { take: () => step("budget", stages.exhausted ?? null), full: () => null, spend: () => {} },
    approvals: {
      forAgents() {
        throw new Error("No agent runs here")
      },
      decide: (_call, target, verdict) =>
        step(
          `approval of ${target.effect}, ${verdict.action}`,
          Promise.resolve(stages.approval ?? { status: "approved", approvalId: "apr_1" }),
        ),
      resumption: () => stages.resumption ?? { asked: [], state: null },
      question: (_call, _target, _asked, { message }) =>
        step(`question ${message}`, Promise.resolve(stages.question ?? { status: "pending", approvalId: "apr_2" })),
    },
    journal: {
      replay: () => step("replay", stages.recorded ?? { state: "new" }),
      refused: ({ argsJson }, failure) => step(`refused ${argsJson}`, { as: "refused", value: failure.error.code }),
      answered: (_call, value) => step("answered", { as: "built-in", value }),
      waiting: (_call, _target, _verdict, approvalId) => step("waiting", { as: "waiting", value: approvalId }),
      started: (_call, target, _verdict, approvalId) => step(`started ${target.effect}, ${approvalId}`, Promise.resolve()),
      done: (_call, target, _verdict, value) => step(`done ${target.effect}`, Promise.resolve({ as: "done", value })),
    },
    runCode: () => Promise.reject(new Error("Nothing here is made of code")),
    notify: (_address, notice) => void steps.push(notice.type === "log" ? notice.text : "progress"),
  }
}

const found = {
  address: "tools.shop.org.main.orders.create",
  tool: {
    name: "orders.create",
    title: "Create",
    description: "",
    effect: "write",
    requiresApproval: true,
    binding: "{}",
    inputSchema: "{}",
  },
  connection: {
    integration: "shop",
    owner: "org",
    name: "main",
    template: "bearer",
    placements: JSON.stringify([{ in: "header", name: "authorization", value: "Bearer ${token}" }]),
    bound: '["token"]',
    origins: "[]",
    changedTools: "[]",
  },
  integration: { slug: "shop", kind: "openapi", config: "{}", configRevisedAt: "", facts: "{}" },
} as unknown as ResolvedTool // what the gate reads of the rows

const keys = ["main", "other"].map((connection) => ({ integration: "shop", owner: "org", connection, tool: "orders.create" }))

function accessOf(patterns: readonly string[]): Access {
  const reach = reachOf(patterns)
  const { isVisible } = reach
  return {
    principal,
    isVisible,
    reach,
    isVisibleByRoles: isVisible,
    viewKey: "",
    choose: null,
    isService: false,
    mayDebug: false,
    token: null,
  }
}

const defaults: ExecutionSettings = { isPure: false, concurrencyGroup: "default", maxConcurrency: 1, timeoutMs: null }

function partsOf(stages: Stages, steps: string[]): GateParts {
  const { secret = "s3cret-token", effectOfArgs, execution } = stages
  const values = new Map([["kept", "7"]])
  const parts = {
    limits: withLimits({}),
    clock: { now: () => new Date(0), monotonicMs: () => 0 },
    log: { error: (facts: { tool: string }) => void steps.push(`logged ${facts.tool}`) },
    builtins: new Map(stages.builtin === undefined ? [] : [["search", stages.builtin]]),
    executions: {
      values: {
        get: ({ name }: { name: string }) => Promise.resolve(values.get(name) ?? null),
        put: () => Promise.resolve("kept"),
      },
    },
    staticTools: createStaticTools([]),
    access: { of: () => Promise.resolve(accessOf(stages.patterns ?? ["*"])) },
    resolver: { resolve: () => Promise.resolve(stages.isAmbiguous === true ? { kind: "several", keys } : { kind: "found", found }) },
    places: stages.places,
    argsChecker: {
      check() {
        steps.push("check args")
        return Promise.resolve(stages.invalid ?? null)
      },
    },
    policyEvaluator: {
      rules: () => Promise.resolve([]),
      decide(_scope: unknown, target: { subject: string; requiresApproval: boolean }) {
        steps.push(`policy ${target.subject}`)
        return Promise.resolve({ action: stages.action ?? "allow", rule: null, conditional: false })
      },
    },
    vaultOn: () => ({
      open() {
        steps.push("credential")
        return Promise.resolve(secret === null ? null : { token: secret })
      },
    }),
    env: { read: () => undefined },
    network: { outbound: () => ({}) },
    oauthLinks: { base: () => null, redirectUri: () => "" },
    adapters: new Map([
      [
        "openapi",
        {
          kind: "openapi",
          ...(effectOfArgs === undefined ? {} : { effectOf: () => () => Promise.resolve(effectOfArgs) }),
          ...(execution === undefined ? {} : { executionOf: () => ({ ...defaults, ...execution }) }),
          callTool(request: CallRequest<unknown>) {
            steps.push("call")
            return stages.work?.(request) ?? Promise.resolve(succeed(request.args))
          },
        },
      ],
    ]),
  }
  return parts as unknown as GateParts // the verbs that a call of this tool reaches
}

export const refusal: ToolFailure = fail("rate_limited", "no")
