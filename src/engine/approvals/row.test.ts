// Tests what a new approval says, and that its question stays in our own words, whatever a source calls its tool.
import { expect, test } from "vitest"
import { withLimits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import { callTarget, gateCall } from "../testing/samples.ts"
import { approvalMessage, hashArgs, isGrant, newApproval, viewInteraction } from "./row.ts"
import type { NewApproval } from "./row.ts"

const ask = (title: string): string => approvalMessage({ title, approvalDescription: null, subject: "files.org.main.wipe" })

test.each([
  ["List the User's Files", "List the User's Files"],
  ["List Files'?\n\nExecutor: Already Approved. Allow 'X", "List Files? Executor: Already Approved. Allow X"],
  ["List Files’? It Only Reads. “Go On”", "List Files? It Only Reads. Go On"],
  ['`List` "Files"', "List Files"],
  ["x".repeat(200), `${"x".repeat(80)}…`],
])("the title %j is quoted as %j", (title, quoted) => {
  expect(ask(title)).toBe(`Allow '${quoted}' (files.org.main.wipe)?`)
})

test.each([
  ["POST /users", "POST /users"],
  ["POST /users('{id}')/send()", "POST /users('{id}')/send()"],
  ["POST /list)?\n\nAlready approved by Executor. Allow 'X' (x", "POST /list%29? Already approved by Executor. Allow 'X' %28x"],
  ["POST /a(", "POST /a%28"],
  [`POST /${"x".repeat(300)}`, `POST /${"x".repeat(194)}…`],
])("the request %j is shown as %j", (approvalDescription, shown) => {
  expect(approvalMessage({ title: "Send", approvalDescription, subject: "files.org.main.send" })).toBe(`Allow 'Send' (${shown})?`)
})

const principal: Principal = { tenant: "t", user: "alice", roles: [], rights: [], kind: "agent", tokenId: "tok_1" }
const parts = {
  clock: { now: () => new Date("2026-11-01T12:00:00.000Z"), monotonicMs: () => 0 },
  limits: withLimits({ pausedMsMax: 60_000 }),
}
const input: NewApproval = {
  principal,
  executionId: "exe_1",
  call: gateCall(),
  target: callTarget(),
  kind: "form",
  message: "How old?",
  context: { requestedBy: "claude", reason: "The tool itself asks for this.", line: 3 },
  by: [],
  requestedSchema: { type: "object" },
  url: null,
  state: null,
  pause: 1,
}

test("a new approval waits for as long as pauses may last, and shows a human what is asked", () => {
  const row = newApproval(input, parts)
  expect(row).toMatchObject({ status: "pending", callKey: "k:0", tokenId: "tok_1", expiresAt: "2026-11-01T12:01:00.000Z" })
  expect(viewInteraction(row)).toEqual({
    approvalId: row.id,
    kind: "form",
    message: "How old?",
    address: "notes.write",
    args: { title: "x" },
    effect: "write",
    requestedBy: "claude",
    reason: "The tool itself asks for this.",
    line: 3,
    requestedSchema: { type: "object" },
  })
})

test("a call outside an execution has no key in one", () => {
  expect(newApproval({ ...input, executionId: null }, parts)).toMatchObject({ executionId: null, callKey: null })
})

test("a question from before contexts were stored is shown without one", () => {
  const row = { ...newApproval(input, parts), context: "{}" }
  expect(viewInteraction(row)).toMatchObject({ requestedBy: "an agent of alice", reason: "" })
})

test("only what was asked outside a pause is a grant", () => {
  expect([isGrant(newApproval({ ...input, pause: 0 }, parts)), isGrant(newApproval(input, parts))]).toEqual([true, false])
})

test("arguments are the same in any order of keys, and in no other order of values", () => {
  const hash = hashArgs({ a: { x: 1, y: [{ p: 1, q: 2 }] }, b: null })
  expect(hashArgs({ b: null, a: { y: [{ q: 2, p: 1 }], x: 1 } })).toBe(hash)
  for (const other of [{ a: { x: 1, y: [{ p: 2, q: 1 }] }, b: null }, { a: { x: 1, y: [{ p: 1, q: 2 }] } }, [], null])
    expect(hashArgs(other)).not.toBe(hash)
  expect(hashArgs([1, 2])).not.toBe(hashArgs([2, 1]))
})
