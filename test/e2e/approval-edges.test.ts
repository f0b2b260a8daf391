// Approvals beside rules, repeated answers and calls that could not wait: what was asked, what happened, and what the history says of it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import type { ExecutionReply } from "../../src/core/execution.ts"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { definePlugin, defineTool } from "../../src/plugin/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"

let ledger: Ledger
let executor: Executor
const dataDir = mkdtempSync(join(tmpdir(), "executor-approval-edges-"))
const desk = definePlugin({
  id: "desk",
  name: "Desk",
  description: "Asks",
  tools: [
    defineTool({
      path: "desk.forms.fill",
      name: "Fill In",
      description: "Asks for a number",
      inputSchema: z.object({}),
      destructive: true,
      handler: (ctx) =>
        ctx.elicit({ message: "How many?", requestedSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } }),
    }),
  ],
})

beforeAll(async () => {
  ledger = await startLedger()
  executor = await createExecutor({ dataDir, plugins: [desk] })
  await executor.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await executor.connections.create({ integration: "ledger" })
})
afterEach(async () => {
  ledger.entries.length = 0
  for (const { id } of await executor.policies.list()) await executor.policies.remove(id)
})
afterAll(async () => {
  await executor.close()
  await ledger.close()
  rmSync(dataDir, { recursive: true })
})

const create = (name: string): string => `tools.ledger.items.create({ name: "${name}" })`
const writes = (): string[] => ledger.entries.filter((entry) => entry.method !== "GET").map((entry) => entry.name)
const resultOf = (reply: ExecutionReply): unknown =>
  reply.structured.status === "waiting_for_interaction" ? "paused" : (reply.structured.error ?? reply.structured.result)
const asked = (reply: ExecutionReply) => (reply.structured.status === "waiting_for_interaction" ? reply.structured.interactions : [])
const idOf = (reply: ExecutionReply, index = 0): string => asked(reply)[index]?.approvalId ?? "none"
const code = (approval: Promise<unknown>): Promise<unknown> =>
  approval.then(
    () => "ok",
    (error: unknown) => (error as { code: string }).code,
  )

test("a rule that an answer makes closes what it lets through, and nobody can decline that", async () => {
  const paused = await executor.run(
    `const made = await Promise.all([${create("a")}, ${create("b")}]); const gone = await tools.ledger.items.remove({ name: "a" }); return [...made, gone].map((one) => one.ok)`,
  )
  const [first, second] = [idOf(paused, 0), idOf(paused, 1)]
  const next = await executor.approvals.answer(first, { action: "accept", remember: "always" })
  expect(writes()).toEqual(["a", "b"])
  expect(asked(next).map((one) => one.address)).toEqual(["tools.ledger.org.main.items.remove"])
  expect((await executor.approvals.list()).items.map((one) => one.address)).toEqual(["tools.ledger.org.main.items.remove"])
  expect(await code(executor.approvals.answer(second, { action: "decline" }))).toBe("already_answered")
  expect(resultOf(await executor.resume(paused.executionId, { action: "decline" }))).toEqual([true, true, false])
})

test("a rule made while it waits answers too, and a block is named as what refused", async () => {
  const both = `return (await Promise.all([${create("c")}, tools.ledger.items.remove({ name: "c" })])).map((one) => one.ok || one.error.code)`
  const allowed = await executor.run(both)
  await executor.policies.create({ owner: "org", pattern: "ledger.org.main.items.create", action: "allow" })
  const deletion = asked(allowed).find((one) => one.address.endsWith("remove"))?.approvalId ?? ""
  expect(resultOf(await executor.approvals.answer(deletion, { action: "accept" }))).toEqual([true, true])
  expect((await executor.approvals.list()).items).toEqual([])

  const paused = await executor.run(`return (await tools.ledger.items.remove({ name: "d" })).error.code`)
  const rule = await executor.policies.create({ owner: "org", pattern: "ledger.**", action: "block" })
  expect(resultOf(await executor.resume(paused.executionId, { action: "accept" }))).toBe("tool_blocked")
  expect((await executor.executions.get(paused.executionId)).calls).toMatchObject([{ decision: "block", rule: rule.id }])
})

test("an approval is for where the call goes to: another config asks again, and takes the first question back", async () => {
  const paused = await executor.run(`return (await ${create("moved")}).ok`)
  await executor.integrations.update("ledger", { config: { spec: ledger.document, headers: { "x-other": "1" } } })
  const again = await executor.resume(paused.executionId, { action: "accept" })
  expect(again.status).toBe("paused")
  expect(asked(again)).toHaveLength(1)
  expect(idOf(again)).not.toBe(idOf(paused))
  expect(writes()).toEqual([])
  expect(resultOf(await executor.resume(paused.executionId, { action: "accept" }))).toBe(true)
})

test("a form keeps its first answer, and is never remembered", async () => {
  const approval = await executor.run("return await tools.desk.forms.fill({}).unwrap()")
  const form = await executor.resume(approval.executionId, { action: "accept" })
  const id = idOf(form)
  expect(await code(executor.approvals.answer(id, { action: "accept", content: { n: "x" } }))).toBe("invalid_request")
  expect(await code(executor.approvals.answer(id, { action: "accept", content: { n: 2 }, remember: "always" }))).toBe("invalid_request")
  expect(resultOf(await executor.approvals.answer(id, { action: "accept", content: { n: 2 } }))).toMatchObject({ content: { n: 2 } })
  expect(await code(executor.approvals.answer(id, { action: "accept", content: { n: 2 } }))).toBe("ok")
  for (const content of [{ n: 3 }, { n: "x" }, {}])
    expect(await code(executor.approvals.answer(id, { action: "accept", content }))).toBe("already_answered")
  // The answer that let the call begin, not the last question.
  expect((await executor.executions.get(approval.executionId)).calls).toMatchObject([
    { approval: { approvalId: idOf(approval), answer: "accept", by: "local" } },
  ])
})

test("an answer to code that does not wait for it is given at once, and can be for the whole execution", async () => {
  const running = executor.run(
    `const seen = []
    for (let i = 0; i < 900 && seen.filter((one) => one === "ok").length < 3; i++) {
      const { ok, error } = await tools.ledger.items.create({ name: "n" + (i % 4) })
      seen.push(ok ? "ok" : error.code)
      await new Promise((next) => setTimeout(next, 50))
    }
    return seen.filter((one) => one === "ok").length`,
    { approval: "throw" },
  )
  await expect.poll(async () => (await executor.approvals.list()).items.length).toBeGreaterThan(0)
  const [one] = (await executor.approvals.list()).items
  const answered = await executor.approvals.answer(one?.approvalId ?? "", { action: "accept", remember: "execution" })
  expect(answered).toMatchObject({ status: "running", text: expect.stringMatching(/^Accepted/) })
  expect(resultOf(await running)).toBe(3)
})

test("what was approved beforehand says by whom", async () => {
  const { executionId } = await executor.run(`return (await ${create("auto")}).ok`, { autoApprove: true })
  expect((await executor.executions.get(executionId)).calls).toMatchObject([
    { decision: "require_approval", status: "done", approval: { answer: "accept", by: "local" } },
  ])
  expect(
    await code(executor.execute("ledger.items.create", { name: "auto" }).then((one) => (one.ok ? one : Promise.reject(one.error)))),
  ).toBe("approval_required")
  expect(writes()).toEqual(["auto"])
})
