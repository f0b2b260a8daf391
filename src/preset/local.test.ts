// What the SDK answers to callers without a type checker, and after it was closed.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { asking } from "../plugin/testing/asking.ts"
import { createExecutor } from "./local.ts"
import type { Executor } from "./local.ts"

let dataDir: string
let executor: Executor
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "executor-local-"))
  executor = await createExecutor({ dataDir, plugins: [asking] })
})
afterAll(async () => {
  await executor.close()
  await rm(dataDir, { recursive: true, force: true })
})

type Loose = (...given: readonly unknown[]) => Promise<unknown>

test.each([
  [[5], "The address must be a string"],
  [["a.b", {}, { approve: "always" }], 'approve must be "auto" or a function'],
  [["a.b", {}, { approved: true }], "Unknown option 'approved'"],
  [["a.b", {}, { timeoutMs: "5" }], "timeoutMs must be a number"],
  [["a.b", {}, { signal: {} }], "signal must be an AbortSignal"],
  [["a.b", {}, null], "The options must be an object"],
])("execute(%j) is refused", async (given, message) => {
  await expect((executor.execute as Loose)(...given)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining(message),
  })
})

test.each([
  [["return 1", { bogus: 1 }], "Unknown option 'bogus'"],
  [["return 1", { autoApprove: "yes" }], "autoApprove must be true or false"],
  [["return 1", { timeoutMs: "5" }], "timeoutMs must be a number"],
  [[5], "code must be a string"],
])("run(%j) is refused", async (given, message) => {
  await expect((executor.run as Loose)(...given)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining(message),
  })
})

test("a tool that asks its own question is referred to run", async () => {
  const answer = await executor.execute("asking.color", {}, { approve: () => true })
  expect(answer).toMatchObject({
    ok: false,
    error: {
      code: "approval_required",
      message: expect.stringContaining("with 'run'"),
      details: { question: { message: "Which color?" } },
    },
  })
})

test("once closed, every method says so, and closing again is nothing", async () => {
  const dir = await mkdtemp(join(tmpdir(), "executor-local-"))
  const closed = await createExecutor({ dataDir: dir })
  await closed.close()
  await expect(closed.close()).resolves.toBeUndefined()
  const refused = { code: "invalid_request", message: expect.stringContaining("The executor is closed") }
  await expect(closed.tools.list()).rejects.toMatchObject(refused)
  await expect(closed.run("return 1")).rejects.toMatchObject(refused)
  await expect(closed.oauth.clients.list()).rejects.toMatchObject(refused)
  const follow = async (): Promise<void> => {
    for await (const _ of closed.executions.events("exe_1")) return
  }
  await expect(follow()).rejects.toMatchObject(refused)
  await rm(dir, { recursive: true, force: true })
})
