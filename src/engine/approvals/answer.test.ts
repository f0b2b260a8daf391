// Tests that one answer to an approval wins, that it can be repeated, and that whoever comes second learns of it.
import { afterAll, expect, test } from "vitest"
import type { ApprovalAnswer } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import { allOf, approvalRow } from "../../store/executions/testing/samples.ts"
import type { EngineParts } from "../engine-parts.ts"
import { openCluster } from "../testing/cluster.ts"
import { recordAnswer } from "./answer.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp(...changes: readonly Partial<ApprovalRow>[]) {
  const parts = cluster.node()
  const human = await cluster.human()
  const rows = (changes.length === 0 ? [{}] : changes).map((change) =>
    approvalRow(human, { executionId: "exe_1", callKey: "k:0", pause: 1, address: "notes.write", ...change }),
  )
  await parts.executions.journal.append(
    rows.map((row) => ({ kind: "approval", row })),
    "now",
  )
  const stored = () => cluster.executions.approvals.list(allOf(human), {}, { after: null, limit: 9 })
  const answer = (request: ApprovalAnswer, asked = rows) => recordAnswer(human, asked, request, parts)
  return { parts, human, rows, stored, answer }
}

test("an answer is stored with who gave it and what they entered", async () => {
  const { stored, answer } = await setUp({ kind: "form", requestedSchema: '{"type":"object"}' }, { kind: "form", requestedSchema: null })
  expect(await answer({ action: "accept", content: { age: 7 } })).toEqual([])
  expect((await stored()).map(({ status, content, answeredBy }) => [status, content, answeredBy])).toEqual([
    ["accept", '{"age":7}', "alice"],
    ["accept", '{"age":7}', "alice"],
  ])
})

test("of two answers at once one wins, and the other learns which", async () => {
  const { human, rows, stored } = await setUp()
  const [one, two] = [cluster.node(), cluster.node()]
  const bob: Principal = { ...human, user: "bob", rights: ["admin"] }
  const answers = await Promise.allSettled([
    recordAnswer(human, rows, { action: "accept" }, one),
    recordAnswer(bob, rows, { action: "decline" }, two),
  ])
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"])
  expect(answers[1]).toMatchObject({ reason: { code: "already_answered", message: expect.stringContaining("already accepted by alice") } })
  expect(await stored()).toMatchObject([{ status: "accept", answeredBy: "alice" }])
})

test("the same answer again changes nothing, another one is refused", async () => {
  const { answer, stored } = await setUp({ kind: "form", requestedSchema: '{"type":"object"}' })
  await answer({ action: "accept", content: { a: 1, b: 2 } })
  const before = await stored()
  await answer({ action: "accept", content: { b: 2, a: 1 } }, before)
  await expect(answer({ action: "accept", content: { a: 1 } }, before)).rejects.toMatchObject({ code: "already_answered" })
  await expect(answer({ action: "cancel" }, before)).rejects.toMatchObject({ code: "already_answered", details: { answer: "accept" } })
  expect(await stored()).toEqual(before)
})

test("an answer for the whole execution is another one than an answer for this once", async () => {
  const { answer, stored } = await setUp()
  await answer({ action: "accept" })
  await expect(answer({ action: "accept", remember: "execution" }, await stored())).rejects.toMatchObject({ code: "already_answered" })
})

test("what has expired cannot be answered", async () => {
  const { answer } = await setUp({ status: "expired" })
  await expect(answer({ action: "accept" })).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("expired") })
})

test("one of several that was answered in another way keeps the others from being answered", async () => {
  const { answer, stored } = await setUp({}, { status: "decline" })
  await expect(answer({ action: "accept" })).rejects.toMatchObject({ code: "already_answered" })
  expect((await stored()).map(({ status }) => status)).toEqual(["pending", "decline"])
})

test.each([
  ["an unknown action", { action: "allow" }, /action must be one of/],
  ["an unknown memory", { action: "accept", remember: "forever" }, /remember must be/],
  ["conditions without a rule", { action: "accept", when: [] }, /requires remember: always/],
  ["wrong conditions", { action: "accept", remember: "always", when: [{ arg: "a", op: "is", value: 1 }] }, /when\.0\.op/],
  ["a refusal to be remembered", { action: "decline", remember: "execution" }, /applies to accept only/],
] as const)("%s is refused, and nothing is stored", async (_name, request, message) => {
  const { answer, stored } = await setUp()
  // As callers without a type checker write it.
  await expect(answer(request as unknown as ApprovalAnswer)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(message),
  })
  expect(await stored()).toMatchObject([{ status: "pending" }])
})

test("a tool's own question is asked every time", async () => {
  const { answer } = await setUp({ kind: "form" })
  await expect(answer({ action: "accept", remember: "execution" })).rejects.toMatchObject({ code: "invalid_request" })
})

test("content that does not fit leaves all of them open", async () => {
  const schema = '{"type":"object","required":["age"]}'
  const { answer, stored } = await setUp({}, { kind: "form", requestedSchema: schema })
  await expect(answer({ action: "accept", content: {} })).rejects.toMatchObject({ code: "invalid_request" })
  expect((await stored()).map(({ status }) => status)).toEqual(["pending", "pending"])
  await answer({ action: "decline" })
})

function awaiting(parts: EngineParts, id: string): { readonly restarts: number } {
  const seen = { restarts: 0 }
  parts.runs.onAnswer(id, { pending: () => [], restart: () => void (seen.restarts += 1) })
  return seen
}

test("code that still runs begins again with the answer; a grant changes nothing for it", async () => {
  const { parts, answer, rows } = await setUp({ executionId: "exe_a" }, { executionId: "exe_a" }, { executionId: "exe_b", pause: 0 })
  const [asked, granted] = [awaiting(parts, "exe_a"), awaiting(parts, "exe_b")]
  await answer({ action: "accept" }, rows)
  expect([asked.restarts, granted.restarts]).toEqual([1, 0])
})
