// Who can reach a workspace: the token that opened it, and executions that it started with it. Nobody else sees, uses or answers it.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { localToolNames } from "../../src/core/workspaces/workspace.ts"
import type { WorkspaceCall, WorkspaceEvent, WorkspaceOffer } from "../../src/core/workspaces/workspace.ts"
import type { ExecutionReply } from "../../src/core/execution.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { makeTool, openColleague } from "./registry-maker.ts"

let product: Product
let client: Client
beforeAll(async () => {
  product = await startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify({ workspacesPerUserMax: 5, workspaceAttachMs: 500 }) } })
  client = product.client
})
afterAll(() => product.stop())

const schema = { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] }
const offer: WorkspaceOffer = {
  folder: "/work",
  tools: (["read_file", "write_file"] as const).map((name) => ({ name, description: `Does ${name}.`, inputSchema: schema })),
}
const read = `return await tools.local.read_file({ file_path: "a" })`
const write = `return await tools.local.write_file({ file_path: "a" })`
const resultOf = ({ structured }: ExecutionReply): unknown => ("result" in structured ? structured.result : structured)

/** A process that is attached to a workspace of its own, and does what the test says. */
async function attach(as: Client = client) {
  const { workspaceId } = await as.workspaces.open(offer)
  const over = new AbortController()
  const seen: WorkspaceEvent[] = []
  let wake = Promise.withResolvers<void>()
  const ended = (async () => {
    for await (const event of as.workspaces.events(workspaceId, over.signal)) {
      seen.push(event)
      wake.resolve()
      wake = Promise.withResolvers()
    }
  })().finally(() => wake.resolve())
  const next = async <Type extends WorkspaceEvent["type"]>(type: Type): Promise<Extract<WorkspaceEvent, { type: Type }>> => {
    for (;;) {
      const found = seen.findIndex((event) => event.type === type)
      if (found >= 0) return seen.splice(found, 1)[0] as Extract<WorkspaceEvent, { type: Type }> // its type was looked at
      await wake.promise
    }
  }
  onTestFinished(async () => {
    over.abort()
    await ended
    await as.workspaces.close(workspaceId).catch(() => {})
  })
  await next("ready")
  return {
    workspaceId,
    call: (): Promise<WorkspaceCall> => next("call"),
    cancelled: () => next("cancel"),
    async leave() {
      over.abort()
      await ended
    },
  }
}

/** The stranger's request, with their own token. */
const statusOf = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work()
    return "ok"
  } catch (error) {
    return (error as { code: string }).code
  }
}

async function strangers(): Promise<Record<string, Client>> {
  const agent = await client.tokens.create({ name: "another", kind: "agent" })
  const human = await client.tokens.create({ name: "mine as well", kind: "human" })
  const { token } = await client.tenants.create({ id: "other" })
  const open = (one: string): Client => createClient({ origin: `${product.url}/api`, token: one })
  return {
    "an admin of the same tenant": await openColleague(product, "ada"),
    "an agent of the same user": open(agent.token),
    "another token of the same user": open(human.token),
    "another tenant": open(token),
  }
}

test("nobody else can follow, answer, use or close it", async () => {
  const workspace = await attach()
  const { workspaceId } = workspace
  const running = client.run(read, { workspace: workspaceId })
  const { callId } = await workspace.call()
  for (const [who, stranger] of Object.entries(await strangers())) {
    const tried = {
      follow: await statusOf(async () => {
        for await (const _ of stranger.workspaces.events(workspaceId)) break
      }),
      answer: await statusOf(() => stranger.workspaces.answer(workspaceId, callId, { ok: true, data: "forged" })),
      use: await statusOf(() => stranger.run(read, { workspace: workspaceId })),
      close: await statusOf(() => stranger.workspaces.close(workspaceId)),
    }
    expect({ who, ...tried }).toEqual({ who, follow: "not_found", answer: "not_found", use: "not_found", close: "not_found" })
  }
  await client.workspaces.answer(workspaceId, callId, { ok: true, data: "genuine" })
  expect(resultOf(await running)).toEqual({ ok: true, data: "genuine" })
})

test("it is there for executions that were given it alone: not listed, not found, not for the code of tools", async () => {
  const { workspaceId } = await attach()
  expect((await client.tools.list()).filter((tool) => tool.address.includes("local."))).toEqual([])
  expect(resultOf(await client.run(read))).toMatchObject({
    error: { code: "tool_not_found", message: expect.stringContaining("--workspace") },
  })
  expect(await client.execute("tools.local.read_file", { file_path: "a" })).toMatchObject({ error: { code: "tool_not_found" } })
  await makeTool(client, "snoop", { implementationType: "custom", implementationConfig: { code: read } })
  const inner = await client.run("return await tools.registry.snoop({})", { workspace: workspaceId, autoApprove: true })
  expect(resultOf(inner)).toMatchObject({ ok: true, data: { ok: false, error: { code: "tool_not_found" } } })
})

test("a second process cannot follow it, and the first goes on", async () => {
  const workspace = await attach()
  const second = await statusOf(async () => {
    for await (const _ of client.workspaces.events(workspace.workspaceId)) break
  })
  expect(second).toBe("conflict")
  const running = client.run(read, { workspace: workspace.workspaceId })
  await client.workspaces.answer(workspace.workspaceId, (await workspace.call()).callId, { ok: false, message: "no such file" })
  expect(resultOf(await running)).toMatchObject({ ok: false, error: { code: "upstream_error", message: "no such file" } })
})

describe("the process leaves", () => {
  test("during a read, which is unreachable, and during a write, of which nobody knows", async () => {
    for (const [code, expected] of [
      [read, "upstream_unreachable"],
      [write, "outcome_unknown"],
    ] as const) {
      const workspace = await attach()
      const running = client.run(code, { workspace: workspace.workspaceId, autoApprove: true })
      await workspace.call()
      await workspace.leave()
      expect(resultOf(await running)).toMatchObject({ ok: false, error: { code: expected } })
    }
  })

  test("while a human is asked: the approved call finds nobody, and nothing was done", async () => {
    const workspace = await attach()
    const paused = await client.run(write, { workspace: workspace.workspaceId })
    expect(paused.structured.status).toBe("waiting_for_interaction")
    await workspace.leave()
    expect(resultOf(await client.resume(paused.executionId, { action: "accept" }))).toMatchObject({
      error: { code: "upstream_unreachable" },
    })
    expect(await statusOf(() => client.run(read, { workspace: workspace.workspaceId }))).toBe("not_found")
  })

  test("without ever having come: the workspace is forgotten", async () => {
    const { workspaceId } = await client.workspaces.open(offer)
    expect(await statusOf(() => client.run(read, { workspace: workspaceId }))).toBe("not_found")
    await vi.waitFor(async () => expect(await statusOf(() => client.workspaces.close(workspaceId))).toBe("not_found"), { timeout: 30_000 })
  })
})

describe("a call that nobody waits for", () => {
  test("is cancelled in the process when its execution is, and its late answer is refused", async () => {
    const workspace = await attach()
    const { workspaceId } = workspace
    const started = client.run(write, { workspace: workspaceId, autoApprove: true })
    const { callId } = await workspace.call()
    const { items } = await client.executions.list({ status: "running" })
    await client.executions.cancel(items[0]?.executionId ?? "")
    expect(await workspace.cancelled()).toEqual({ type: "cancel", callId })
    expect((await started).status).toBe("cancelled")
    expect(await statusOf(() => client.workspaces.answer(workspaceId, callId, { ok: true, data: 1 }))).toBe("not_found")
    const { calls } = await client.executions.get(items[0]?.executionId ?? "")
    expect(calls).toMatchObject([{ address: "local.write_file", error: { code: "outcome_unknown" } }])
  })

  test("is cancelled when its time is over", async () => {
    const workspace = await attach()
    const { workspaceId } = workspace
    const running = client.run(`return await tools.local.read_file({ file_path: "a" })`, { workspace: workspaceId, timeoutMs: 1500 })
    await workspace.call()
    await workspace.cancelled()
    expect((await running).structured).toMatchObject({ error: { code: expect.stringMatching(/timeout/) } })
  })
})

describe("offers", () => {
  const one = { name: "read_file", description: "", inputSchema: schema }
  test.each([
    ["no tools", { folder: "/a", tools: [] }],
    ["a tool of another name", { folder: "/a", tools: [{ ...one, name: "format_disk" }] }],
    ["a tool twice", { folder: "/a", tools: [one, one] }],
    ["no folder", { tools: [one] }],
    ["a shell of another kind", { folder: "/a", shell: "free", tools: [one] }],
    ["more tools than there are", { folder: "/a", tools: [...localToolNames, "read_file"].map((name) => ({ ...one, name })) }],
  ])("%s is refused", async (_, body) => {
    expect(await product.request("POST", "/workspaces", body)).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } })
  })

  test("are limited in number", async () => {
    const colleague = await openColleague(product, "grace")
    const opened = []
    for (let count = 0; count < 5; count += 1) opened.push(await attach(colleague))
    expect(await statusOf(() => colleague.workspaces.open(offer))).toBe("rate_limited")
  })

  test("of an agent's token are for its own executions, and are audited", async () => {
    const { token } = await client.tokens.create({ name: "worker", kind: "agent" })
    const agent = createClient({ origin: `${product.url}/api`, token })
    const workspace = await attach(agent)
    const running = agent.run(read, { workspace: workspace.workspaceId })
    await agent.workspaces.answer(workspace.workspaceId, (await workspace.call()).callId, { ok: true, data: "text" })
    expect(resultOf(await running)).toEqual({ ok: true, data: "text" })
    const { items } = await client.audit.list({ action: "workspace.open" })
    expect(items[0]).toMatchObject({ subject: workspace.workspaceId, outcome: "ok" })
  })
})
