// Tries a plugin in the real product, in a directory of its own.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AnswerAction } from "../core/execution.ts"
import type { ExecutorApi } from "../core/executor-api.ts"
import { localHuman } from "../core/principal.ts"
import { fail } from "../core/result.ts"
import type { ToolResult } from "../core/result.ts"
import { createLog } from "../io/log.ts"
import { slugOf } from "../plugin/definition-check.ts"
import type { Plugin } from "../plugin/definition.ts"
import { openProduct } from "./product.ts"
import { readSettings } from "../local/settings.ts"

export type OpenOptions = {
  /** What `ctx.auth.getToken` gives, by the id of the auth provider. */
  readonly tokens?: Readonly<Record<string, string>>
  /** Hosts that `ctx.fetch` may reach although they are private, such as a test server on 127.0.0.1. */
  readonly allowPrivateHosts?: readonly string[]
}

/** How a human would answer what `ctx.elicit` asks, in order. */
export type SampleAnswer = { readonly action: AnswerAction; readonly content?: unknown }

export type OpenPlugin = {
  readonly executor: ExecutorApi
  /** Through sandbox, gate and schemas, approved by a human; questions beyond `answers` are declined. */
  call(path: string, input?: Record<string, unknown>, answers?: readonly SampleAnswer[]): Promise<ToolResult>
  close(): Promise<void>
}

export async function openPlugin(plugin: Plugin, options: OpenOptions = {}): Promise<OpenPlugin> {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-plugin-"))
  const settings = { ...readSettings({ EXECUTOR_DATA_DIR: dataDir }), allowPrivateHosts: options.allowPrivateHosts ?? [] }
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true })
  const product = await openProduct(settings, {
    isLoopbackOnly: true,
    startsWarm: false,
    approvalUrl: () => null,
    pagesUrl: () => null,
    publicUrl: () => null,
    log: createLog("error"),
    plugins: [plugin],
  }).catch((error: unknown) => {
    remove()
    throw error
  })
  const executor = product.core.as(localHuman)
  const close = async (): Promise<void> => {
    await product.core.close()
    remove()
  }
  try {
    if ((plugin.authProviders ?? []).length > 0) await connect(plugin, options.tokens ?? {}, executor)
    return { executor, call: (path, input = {}, answers = []) => callTool(path, input, answers, executor), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function connect(plugin: Plugin, tokens: Readonly<Record<string, string>>, executor: ExecutorApi): Promise<void> {
  const given = Object.entries(tokens)
  const auth = {
    template: "custom" as const,
    values: Object.fromEntries(given.map(([, token], at) => [`token${at}`, token])),
    placements: given.map(([id], at) => ({ in: "header" as const, name: id, value: `\${token${at}}` })),
  }
  await executor.connections.create({ integration: slugOf(plugin), ...(given.length === 0 ? {} : { auth }) })
}

async function callTool(
  path: string,
  input: Record<string, unknown>,
  answers: readonly SampleAnswer[],
  executor: ExecutorApi,
): Promise<ToolResult> {
  const code = `return await tools[${JSON.stringify(path)}](${JSON.stringify(input)})`
  let reply = await executor.run(code, { autoApprove: true })
  for (let asked = 0; reply.status === "paused"; asked += 1)
    reply = await executor.resume(reply.executionId, answers[asked] ?? { action: "decline" })
  if (reply.status === "completed" && "result" in reply.structured) return reply.structured.result as ToolResult // the code returns the envelope
  return fail("internal", `The execution ended as ${reply.status}: ${reply.text}`)
}
