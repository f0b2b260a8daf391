// Workspaces over HTTP: a process offers the tools of a folder, receives their calls as events, and answers them.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { localToolNames, shellModes } from "../../../../core/workspaces/workspace.ts"
import { defineEventRoute, defineRoute, noAnswer } from "../route.ts"
import type { Route } from "../route.ts"

const idExample = "wsp_0mw3k2a1b0003f5c9e0d7a41b2c6"
const callIdExample = "wsc_0mw3k2a1b0009ab3d01e6f25c7d8"
const toolName = z.enum(localToolNames)
const readFileExample = {
  name: "read_file" as const,
  description: "Reads a text file of the workspace.",
  inputSchema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
}

const workspaceView = z.strictObject({ workspaceId: z.string(), folder: z.string(), tools: z.array(toolName) }).meta({ id: "Workspace" })

const workspaceEvent = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("ready") }),
    z.strictObject({
      type: z.literal("call"),
      callId: z.string(),
      tool: toolName,
      args: z.record(z.string(), z.unknown()),
      timeoutMs: z.number(),
    }),
    z.strictObject({ type: z.literal("cancel"), callId: z.string() }),
  ])
  .meta({ id: "WorkspaceEvent" })

const offerInput = (limits: Limits) =>
  z
    .strictObject({
      folder: z.string().min(1).max(limits.requestPreviewUrlCharsMax).meta({ description: "Shown to humans who are asked about a call." }),
      shell: z.enum(shellModes).exactOptional().meta({
        default: "sandboxed",
        description: "`unsandboxed`: every call of `shell` counts as `destroy` and asks a human, whatever the policies say.",
      }),
      tools: z
        .array(
          z.strictObject({
            name: toolName,
            description: z.string().max(limits.descriptionCharsMax),
            inputSchema: z.record(z.string(), z.unknown()),
          }),
        )
        .min(1)
        .max(localToolNames.length),
      executionId: z.string().max(limits.nameCharsMax).exactOptional().meta({
        description: "An execution of the same token that was started with a workspace, whose process is gone: this one takes its place.",
      }),
    })
    .meta({ id: "WorkspaceOffer" })

const answerInput = z
  .discriminatedUnion("ok", [
    z.strictObject({ ok: z.literal(true), data: z.unknown() }),
    z.strictObject({ ok: z.literal(false), message: z.string() }),
  ])
  .meta({ id: "WorkspaceAnswer" })

export function workspaceRoutes(limits: Limits): Route[] {
  const id = z.string().min(1).max(limits.nameCharsMax)
  const one = { tag: "workspaces", path: "/workspaces/{id}", params: z.strictObject({ id: id.meta({ examples: [idExample] }) }) } as const
  return [
    defineRoute({
      id: "workspaces.open",
      tag: "workspaces",
      method: "post",
      path: "/workspaces",
      summary: "Offer the tools of a folder",
      description:
        "For a process that answers calls of local tools, such as the command line with `--workspace`. Executions that are given the workspace have its tools at `local.*` while its events are followed. Only the same token can follow, answer, use or close it. It is forgotten if nobody follows its events.",
      errors: ["not_found", "forbidden", "conflict", "rate_limited", "payload_too_large"],
      body: {
        schema: offerInput(limits),
        bytesMax: limits.requestSmallBodyBytesMax,
        examples: { reading: { folder: "/home/ada/shop", tools: [readFileExample] } },
      },
      answer: {
        status: 201,
        description: "The workspace.",
        schema: workspaceView,
        example: { workspaceId: idExample, folder: "/home/ada/shop", tools: ["read_file"] },
      },
      handle: ({ body }, api) => api.workspaces.open(body),
    }),
    defineEventRoute({
      ...one,
      id: "workspaces.events",
      method: "get",
      path: `${one.path}/events`,
      summary: "Follow a workspace",
      description:
        "Server-sent events: `ready` once, then `call` for each call to answer, and `cancel` for one that nobody waits for any more. When the stream ends, calls under way fail: reads with `upstream_unreachable`, all others with `outcome_unknown`.",
      errors: ["not_found", "conflict"],
      answer: {
        description: "The events, each named after its type.",
        schema: workspaceEvent,
        example: { type: "call", callId: callIdExample, tool: "read_file", args: { file_path: "README.md" }, timeoutMs: 60_000 },
      },
      open: ({ params }, api, signal) => api.workspaces.events(params.id, signal),
    }),
    defineRoute({
      id: "workspaces.answer",
      tag: "workspaces",
      method: "post",
      path: "/workspaces/{id}/calls/{callId}",
      summary: "Answer a call of a local tool",
      description: "Gives the result of a call, or says why there is none. An answer that nobody waits for any more is refused.",
      errors: ["not_found", "payload_too_large"],
      params: z.strictObject({ id: id.meta({ examples: [idExample] }), callId: id.meta({ examples: [callIdExample] }) }),
      body: {
        schema: answerInput,
        bytesMax: limits.workspaceAnswerBytesMax,
        examples: { result: { ok: true, data: "L1: # Shop" }, failure: { ok: false, message: "the file does not exist" } },
      },
      answer: noAnswer("It was delivered."),
      handle: async ({ params, body }, api) => {
        await api.workspaces.answer(params.id, params.callId, body)
        return undefined
      },
    }),
    defineRoute({
      ...one,
      id: "workspaces.close",
      method: "delete",
      summary: "Close a workspace",
      description: "Ends its stream of events. Executions that were given it go on without its tools.",
      errors: ["not_found"],
      answer: noAnswer("It is closed."),
      handle: async ({ params }, api) => {
        await api.workspaces.close(params.id)
        return undefined
      },
    }),
  ]
}
