// A workspace on two servers: it belongs to the one that it is attached to, and says so elsewhere; whoever attaches there goes on.
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { WorkspaceOffer } from "../../src/core/workspaces/workspace.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let first: Product
let second: Product
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-workspace-nodes-"))
  first = await startProduct({ dataDir })
  second = await startProduct({ dataDir })
})
afterAll(async () => {
  await second.kill("SIGTERM")
  await first.stop()
})

const offer: WorkspaceOffer = {
  folder: "/work",
  tools: [
    {
      name: "write_file",
      description: "Writes a file.",
      inputSchema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
    },
  ],
}
const write = `return await tools.local.write_file({ file_path: "a" })`

/** A process that writes nothing, and tells what it was to write. */
async function attach(node: Product, executionId?: string) {
  const { workspaces } = node.client
  const { workspaceId } = await workspaces.open({ ...offer, ...(executionId === undefined ? {} : { executionId }) })
  const over = new AbortController()
  const ready = Promise.withResolvers<void>()
  const asked: unknown[] = []
  const ended = (async () => {
    for await (const event of workspaces.events(workspaceId, over.signal)) {
      if (event.type === "ready") ready.resolve()
      if (event.type !== "call") continue
      asked.push(event.args)
      await workspaces.answer(workspaceId, event.callId, { ok: true, data: "written" })
    }
  })()
  await ready.promise
  const leave = async (): Promise<void> => {
    over.abort()
    await ended
  }
  return { workspaceId, asked, leave }
}

test("what the other server resumes finds nobody there, does nothing, and says what to do", async () => {
  const { workspaceId, asked, leave } = await attach(first)
  const paused = await first.client.run(write, { workspace: workspaceId })
  expect(paused.status).toBe("paused")
  expect((await second.client.resume(paused.executionId, { action: "accept" })).structured).toMatchObject({
    result: {
      ok: false,
      error: {
        code: "upstream_unreachable",
        message: expect.stringMatching(/not attached to this server.*resume what waits with --workspace/),
      },
    },
  })
  expect(asked).toEqual([])
  await expect(second.client.run(write, { workspace: workspaceId })).rejects.toMatchObject({ code: "not_found" })
  await leave()
})

test("a process that takes the place of the one that left answers at the other server", async () => {
  const left = await attach(first)
  const paused = await first.client.run(write, { workspace: left.workspaceId })
  await expect(first.client.workspaces.open({ ...offer, executionId: paused.executionId })).rejects.toMatchObject({ code: "conflict" })
  await left.leave()
  const { workspaceId, asked, leave } = await attach(second, paused.executionId)
  expect(workspaceId).toBe(left.workspaceId)
  expect((await second.client.resume(paused.executionId, { action: "accept" })).structured).toMatchObject({
    result: { ok: true, data: "written" },
  })
  expect([asked, left.asked]).toEqual([[{ file_path: "a" }], []])
  await leave()
})

test("only the token that started an execution gives it a workspace", async () => {
  const { workspaceId, leave } = await attach(first)
  const paused = await first.client.run(write, { workspace: workspaceId })
  await leave()
  const { token } = await first.client.tokens.create({ name: "other", kind: "human" })
  const refused = await second.request("POST", "/workspaces", { ...offer, executionId: paused.executionId }, token)
  expect(refused).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining("another token") } } })
  expect((await second.request("POST", "/workspaces", { ...offer, executionId: "exe_none" })).status).toBe(404)
})
