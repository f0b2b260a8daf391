// The schemas of executions as they travel over HTTP, with the examples that the reference shows.
import { z } from "zod"
import { answerActions, executionModes, programKinds, executionStatuses, runErrorCodes } from "../../../core/execution.ts"
import { owners } from "../../../core/address.ts"
import type { Limits } from "../../../core/limits.ts"
import { call } from "./console/call-schema.ts"
import { approvalBy, conditionsInput, policyCondition } from "./policy-schema.ts"
import { callPath, timestamp, usageFields } from "./shared-schema.ts"

export const executionStatus = z.enum(executionStatuses)
export const answerAction = z.enum(answerActions)
export const principalKind = z.enum(["human", "agent"])
export const caller = z
  .object({
    user: z.string(),
    kind: principalKind,
    tokenId: z.string().nullable().meta({ description: "Null if no token was used." }),
    tokenName: z.string().nullable().meta({ description: "The name of the token, even after it was revoked." }),
  })
  .meta({ id: "Caller", description: "Who acted." })

const interactionFields = {
  approvalId: z.string(),
  kind: z.enum(["approval", "form", "url"]),
  message: z.string().meta({ description: "The question to the human." }),
  address: z.string().meta({ description: "The tool that the question is about." }),
  args: z.unknown().meta({ description: "The arguments of the call." }),
  effect: z.enum(["read", "write", "destroy"]).meta({ description: "Whether the call reads, writes or destroys data." }),
  effectAssumed: z
    .literal(true)
    .exactOptional()
    .meta({ description: "The source does not say what the tool changes, so the worst is assumed." }),
  requestedBy: z.string().meta({ description: "Who makes the call: the token's name for an agent, the user for a human." }),
  reason: z.string().meta({ description: "Why the call needs a human." }),
  rule: z
    .object({ id: z.string(), owner: z.enum(owners), pattern: z.string() })
    .exactOptional()
    .meta({ description: "The policy that requires approval; absent if the tool's effect alone does." }),
  by: z.array(approvalBy).exactOptional().meta({ description: "Whom the rules name as approvers; each of them must hold." }),
  answerers: z.string().exactOptional().meta({
    description: "Who can approve, where the human who asks, or whose agent asks, cannot. In an approval: where the reader cannot.",
  }),
  line: z.int().exactOptional().meta({ description: "The line of the code that makes the call, counted from 1." }),
  via: z.string().exactOptional().meta({ description: "The tool whose own code makes the call; absent for the execution's own calls." }),
  path: callPath,
  agent: z
    .object({ slug: z.string(), version: z.string(), step: z.int().exactOptional() })
    .exactOptional()
    .meta({ description: "The agent whose run asks, and at which of its steps; without a step before the first." }),
  request: z
    .object({ method: z.string(), url: z.string() })
    .exactOptional()
    .meta({ description: "The request that would be sent, without credentials, if the source can tell." }),
  rememberWhen: z
    .array(policyCondition)
    .exactOptional()
    .meta({ description: "The conditions of the rule that `always` adds, unless the answer says others. Absent: none." }),
  requestedSchema: z.unknown().exactOptional().meta({ description: "For a form: the JSON Schema of its `content`." }),
  url: z.string().exactOptional().meta({ description: "The page that the human is asked to open." }),
}
const interaction = z.object(interactionFields).meta({ id: "Interaction", description: "What a paused execution waits for." })

const logLine = z
  .object({
    level: z.string(),
    text: z.string(),
    tool: z.string().exactOptional().meta({ description: "The tool whose code logged it; absent for the execution's own code." }),
  })
  .meta({ id: "LogLine" })
export const logs = z.array(logLine)
const emitted = z.array(z.unknown()).meta({ description: "The values that the code passed to `emit`." })

const callRecap = z
  .object({
    tool: z.string().meta({ description: "The tool's path as the code wrote it." }),
    args: z.string().meta({ description: "The arguments as JSON, shortened." }),
    effect: z.enum(["read", "write", "destroy"]),
    outcome: z.enum(["done", "unknown", "under_way", "stopped", "not_made"]).meta({
      description:
        "`unknown`: the call may or may not have taken effect. `stopped`: a read that was interrupted. `not_made`: it was still to be approved.",
    }),
    answer: z.string().exactOptional().meta({ description: "The id of the created object, or the beginning of the result." }),
    count: z.number().exactOptional().meta({ description: "The number of further calls like this one, which are not listed one by one." }),
  })
  .meta({ id: "CallRecap", description: "A summary of a call that an execution has made." })

const runError = z
  .object({
    code: z.enum(runErrorCodes),
    name: z.string(),
    message: z.string(),
    line: z.int().exactOptional().meta({ description: "The line in the submitted code, counted from 1." }),
    column: z.int().exactOptional(),
    toolError: z
      .object({ tool: z.string(), code: z.string(), status: z.int().exactOptional() })
      .exactOptional()
      .meta({ description: "For an uncaught ToolError: which call failed, and how." }),
    calls: z
      .array(callRecap)
      .exactOptional()
      .meta({ description: "The calls made so far, writes first. Do not repeat those that are done." }),
  })
  .meta({ id: "RunError", description: "Why an execution ended without a result." })

const outcome = z
  .object({
    status: z.enum(["running", "completed", "failed", "cancelled"]),
    result: z.unknown().meta({ description: "The value that the code returned. Large results are read in pieces." }),
    logs,
    emitted,
    error: runError.exactOptional(),
    calls: z.array(callRecap).exactOptional().meta({ description: "Of one that is running: what it has called so far, writes first." }),
    toolOutputs: z
      .array(
        z.object({
          tool: z.string(),
          callId: z.string(),
          ok: z.boolean(),
          output: z.unknown(),
          written: z
            .string()
            .exactOptional()
            .meta({ description: "The arguments as the model wrote them, where they were read as something else." }),
        }),
      )
      .exactOptional()
      .meta({ description: "Of an agent's run that has ended: what its tools answered, in the order of the calls." }),
    context: z.record(z.string(), z.unknown()).exactOptional(),
    state: z.object({ lastAgentOutput: z.unknown() }).exactOptional(),
    usage: z
      .object({ ...usageFields, steps: z.number(), calls: z.number() })
      .exactOptional()
      .meta({ description: "What the run has used; tokens and cost with those of the agents that it called." }),
  })
  .meta({ id: "Outcome", description: "An execution that is running or has ended." })

const pause = z
  .object({
    status: z.literal("waiting_for_interaction"),
    executionId: z.string(),
    interactions: z.array(interaction),
    approvalUrl: z.string().nullable().meta({ description: "Where a human can answer." }),
    expiresAt: timestamp,
    logs,
    emitted,
    calls: z.array(callRecap).exactOptional().meta({ description: "The changes made so far, if the execution has paused before." }),
  })
  .meta({ id: "Pause", description: "An execution that waits for a human." })

export const replyFields = {
  executionId: z.string(),
  status: executionStatus,
  text: z.string().meta({ description: "Everything as text for a model, limited in length." }),
  structured: z.union([outcome, pause]),
  isError: z.boolean(),
}
export const executionReply = z.object(replyFields).meta({ id: "ExecutionReply" })

const rowFields = {
  code: z.string(),
  program: z.enum(programKinds).meta({ description: "What it runs: `code`, or an `agent`, of which `code` is the JSON." }),
  mode: z.enum(executionModes).meta({ description: "`debug`: tools of the registry were their working copies." }),
  principal: caller,
  replayOf: z.string().exactOptional().meta({ description: "The execution whose recorded answers it began with." }),
  parentId: z.string().exactOptional().meta({ description: "The execution that called it as an agent; absent for what nobody called." }),
  rootId: z.string().exactOptional().meta({ description: "The first of the executions that led to it, where its approvals appear." }),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
}
export const executionView = z.object({ ...replyFields, ...rowFields, calls: z.array(call) }).meta({ id: "Execution" })
export const executionSummary = z
  .object({
    executionId: z.string(),
    status: executionStatus,
    ...rowFields,
    code: z.string().meta({ description: "Shortened if it is long." }),
    callCount: z.int().meta({ description: "How many calls its own code or agent has made, without those that tools made." }),
  })
  .meta({ id: "ExecutionSummary" })

export const resultPiece = z
  .object({
    text: z.string().meta({ description: "A piece of the result's JSON." }),
    nextOffset: z.int().nullable().meta({ description: "Where the next piece starts; null at the end." }),
  })
  .meta({ id: "ResultPiece" })

export const executionEvent = z
  .union([
    z.object({ type: z.literal("call"), call }),
    z.object({ type: z.literal("log"), line: logLine }),
    z.object({ type: z.literal("emit"), value: z.unknown() }),
    z.object({ type: z.literal("text"), text: z.string(), path: callPath, runId: z.string().exactOptional() }),
    z.object({ type: z.enum(["pause", "end"]), reply: executionReply }),
  ])
  .meta({ id: "ExecutionEvent" })

export const approvalsEvent = z.object({ type: z.literal("approvals") }).meta({ id: "ApprovalsEvent" })

export const approvalReply = z
  .object({
    ...replyFields,
    remembered: z
      .array(
        z.object({
          id: z.string(),
          owner: z.enum(owners),
          pattern: z.string(),
          when: z.array(policyCondition),
          message: z.string().meta({ description: "What the rule allows, and which narrower rule it overrides." }),
        }),
      )
      .exactOptional()
      .meta({ description: "With `remember: always`: the rule that was created, or that already existed." }),
  })
  .meta({ id: "ApprovalReply" })

export const approvalView = z
  .object({
    ...interactionFields,
    executionId: z.string().nullable().meta({ description: "Null for a call outside an execution." }),
    status: z.enum(["pending", ...answerActions, "expired"]),
    principal: caller,
    isOwn: z.boolean().meta({ description: "Whether the reader asks, or an agent of theirs." }),
    mayAnswer: z.boolean().meta({ description: "Whether the reader may approve it." }),
    code: z
      .string()
      .exactOptional()
      .meta({ description: "The code that asks, where one pending approval is shown to somebody who may answer it." }),
    createdAt: timestamp,
    expiresAt: timestamp,
    answeredAt: timestamp.exactOptional().meta({ description: "When it stopped waiting; absent while it is pending." }),
    answeredBy: z.string().exactOptional().meta({ description: "The user who did; absent where it was withdrawn or expired." }),
  })
  .meta({ id: "Approval" })

export function executionInput(limits: Limits) {
  const approvalId = z.string().min(1).max(limits.nameCharsMax)
  return {
    create: z
      .strictObject({
        code: z.string().meta({ description: `JavaScript or TypeScript, at most ${limits.codeBytesMax} bytes.` }),
        timeoutMs: z.int().min(1).max(limits.executionWallMsMax).exactOptional().meta({ default: limits.executionWallMs }),
        results: z.enum(["envelope", "raw"]).exactOptional().meta({ default: "envelope" }),
        approval: z.enum(["pause", "throw"]).exactOptional().meta({ default: "pause" }),
        autoApprove: z.boolean().exactOptional().meta({
          default: false,
          description: "Humans only: accepts the approvals of this execution, except forms, URLs, core tools and what agents call.",
        }),
        mode: z.enum(executionModes).exactOptional().meta({
          default: "production",
          description:
            "`debug` runs the working copies of registry tools, drafts included. For humans with the right `registry.write`, and for tokens that they made with `debug`.",
        }),
        workspace: z.string().min(1).max(limits.nameCharsMax).exactOptional().meta({
          description: "A workspace that this token has opened and follows: its tools are at `local.*`, for this execution alone.",
        }),
        replayOf: z.string().min(1).max(limits.nameCharsMax).exactOptional().meta({
          description:
            "An execution of code that you may read. As long as this one makes the calls that it made, they get the answers that it recorded, without reaching anything; from the first other call on, everything is made, decided and asked about as ever.",
        }),
        wait: z.boolean().exactOptional().meta({
          default: true,
          description: "False: answers as soon as the execution has started, with the status `running`; follow its events.",
        }),
        cancelOnDisconnect: z.boolean().exactOptional().meta({
          default: false,
          description: "Cancels the execution if the client disconnects before it has the reply.",
        }),
      })
      .meta({ id: "ExecutionCreate" }),
    resume: z
      .strictObject({
        action: answerAction,
        content: z.unknown().exactOptional().meta({ description: "What a form asks for." }),
        approvalId: approvalId.exactOptional(),
        approvalIds: z.array(approvalId).min(1).max(limits.executionCallsMax).exactOptional(),
      })
      .refine((body) => body.approvalId === undefined || body.approvalIds === undefined, {
        path: ["approvalIds"],
        message: "Give `approvalId` or `approvalIds`, not both",
      })
      .meta({ id: "ExecutionResume", description: "Without ids, it answers the approvals in the latest pause that you were shown." }),
    answer: z
      .strictObject({
        action: answerAction,
        content: z.unknown().exactOptional().meta({ description: "What a form asks for." }),
        remember: z.enum(["execution", "always"]).exactOptional().meta({
          description:
            "`execution`: the same tool with any arguments in this execution. `always`: an `allow` rule of your own for this tool.",
        }),
        when: conditionsInput(limits).exactOptional().meta({
          description:
            "With `always`: conditions on the arguments of later calls. Without it, those of `rememberWhen`, else the rule allows any arguments.",
        }),
      })
      .meta({ id: "ApprovalAnswer" }),
  }
}
