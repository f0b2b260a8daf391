// Pauses over HTTP: what a human is asked, how it is answered, and by whom.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { ApprovalView, ExecutionReply } from "../../../core/execution.ts"
import type { Page } from "../../../core/page.ts"
import type { ExecutionServer } from "../testing/executions.ts"
import { interactionsOf, resultOf, startExecutionServer } from "../testing/executions.ts"

let server: ExecutionServer
beforeAll(async () => {
  server = await startExecutionServer()
})
afterEach(() => void (server.ledger.entries.length = 0))
afterAll(() => server.close())

const write = (name: string): string => `return (await tools.ledger.items.create({ name: ${JSON.stringify(name)} })).ok`
const three = `return (await Promise.all(["a", "b", "c"].map((name) => tools.ledger.items.create({ name })))).map((one) => one.ok)`

const resume = (id: string, body: unknown, token = server.tokens.human) =>
  server.call("POST", `/api/executions/${id}/resume`, { token, body })
const answer = (id: string, body: unknown, token = server.tokens.human) => server.call("POST", `/api/approvals/${id}`, { token, body })
const inbox = async (token = server.tokens.human): Promise<readonly ApprovalView[]> =>
  ((await server.call("GET", "/api/approvals", { token })).body as Page<ApprovalView>).items
/** Questions stand in the order in which their calls came through the checks; here in that of the code. */
const idsOf = (reply: ExecutionReply): string[] =>
  interactionsOf(reply)
    .toSorted((one, other) => JSON.stringify(one.args).localeCompare(JSON.stringify(other.args)))
    .map((one) => one.approvalId)

describe("three calls in one Promise.all", () => {
  test("are one pause with three interactions, and go on together", async () => {
    const paused = await server.run(three)
    expect(paused).toMatchObject({
      status: "paused",
      isError: false,
      structured: {
        status: "waiting_for_interaction",
        executionId: paused.executionId,
        approvalUrl: `http://approve.example/${paused.executionId}`,
        expiresAt: expect.any(String),
        interactions: expect.arrayContaining(
          ["a", "b", "c"].map((name) =>
            expect.objectContaining({ kind: "approval", address: "tools.ledger.org.main.items.create", args: { name } }),
          ),
        ),
      },
    })
    expect(server.writes()).toEqual([])
    const done = await resume(paused.executionId, { action: "accept" })
    expect(done).toMatchObject({ status: 200, body: { status: "completed", structured: { result: [true, true, true] } } })
    expect(server.writes().toSorted()).toEqual(["a", "b", "c"])
    expect((await resume(paused.executionId, { action: "accept" })).body).toEqual(done.body)
    expect(server.writes()).toHaveLength(3)
  })

  test("go on one by one, at the inbox and at the execution", async () => {
    const paused = await server.run(three)
    const [first = "", second = "", third = ""] = idsOf(paused)
    const afterFirst = await answer(first, { action: "accept" })
    expect(afterFirst).toMatchObject({ status: 200, body: { status: "paused" } })
    expect(idsOf(afterFirst.body as ExecutionReply)).toEqual([second, third])
    expect((await answer(first, { action: "accept" })).body).toEqual(afterFirst.body)
    const afterSecond = await resume(paused.executionId, { action: "decline", approvalId: second })
    expect(idsOf(afterSecond.body as ExecutionReply)).toEqual([third])
    expect((await resume(paused.executionId, { action: "accept", approvalIds: [third] })).body).toMatchObject({
      status: "completed",
      structured: { result: [true, false, true] },
    })
    expect(server.writes()).toEqual(["a", "c"])
  })

  test("several at once by their ids", async () => {
    const paused = await server.run(three)
    const [first = "", second = "", third = ""] = idsOf(paused)
    expect(idsOf((await resume(paused.executionId, { action: "accept", approvalIds: [first, third] })).body as ExecutionReply)).toEqual([
      second,
    ])
    expect((await resume(paused.executionId, { action: "cancel" })).body).toMatchObject({ structured: { result: [true, false, true] } })
  })
})

describe("answers", () => {
  test("another answer is refused, with the one that was given", async () => {
    const paused = await server.run(write("x"))
    const [id = ""] = idsOf(paused)
    expect(resultOf((await answer(id, { action: "decline" })).body as ExecutionReply)).toBe(false)
    for (const action of ["accept", "cancel"]) {
      const refused = { status: 409, body: { error: { code: "already_answered", details: { approvalId: id, answer: "decline" } } } }
      expect(await answer(id, { action })).toMatchObject(refused)
      expect(await resume(paused.executionId, { action })).toMatchObject(refused)
    }
    expect(server.writes()).toEqual([])
  })

  test("accept and decline at once: one wins, the other learns it", async () => {
    const paused = await server.run(write("either"))
    const [id = ""] = idsOf(paused)
    const both = await Promise.all([answer(id, { action: "accept" }), answer(id, { action: "decline" })])
    expect(new Set(both.map((one) => one.status))).toEqual(new Set([200, 409]))
    expect(server.writes()).toEqual(both[0]?.status === 200 ? ["either"] : [])
  })

  test("a declined and a cancelled execution are no error of the code", async () => {
    const paused = await server.run(`return (await tools.ledger.items.create({ name: "x" })).error.code`)
    expect((await resume(paused.executionId, { action: "cancel" })).body).toMatchObject({
      status: "completed",
      structured: { result: "approval_cancelled" },
    })
  })

  test("cancelling the execution takes its approvals out of the inbox", async () => {
    const paused = await server.run(three)
    expect((await inbox()).filter((one) => one.executionId === paused.executionId)).toHaveLength(3)
    expect(await server.call("POST", `/api/executions/${paused.executionId}/cancel`)).toMatchObject({ body: { status: "cancelled" } })
    expect((await inbox()).filter((one) => one.executionId === paused.executionId)).toEqual([])
    expect(await answer(idsOf(paused)[0] ?? "", { action: "accept" })).toMatchObject({ status: 409 })
  })

  test("approval: throw, accepted at the inbox, passes once", async () => {
    const code = `const made = await tools.ledger.items.create({ name: "thrown" }); return made.ok ? "made" : made.error`
    const error = resultOf(await server.run(code, { approval: "throw" })) as { code: string; details: { approvalId: string } }
    expect(error.code).toBe("approval_required")
    expect(await answer(error.details.approvalId, { action: "accept" })).toMatchObject({ status: 200 })
    expect(resultOf(await server.run(code, { approval: "throw" }))).toBe("made")
    expect(resultOf(await server.run(code, { approval: "throw" }))).toMatchObject({ code: "approval_required" })
    expect(server.writes()).toEqual(["thrown"])
  })

  test.each([
    [{}, "'action'"],
    [{ action: "approve" }, "'action'"],
    [{ action: "accept", remember: "for ever" }, "'remember'"],
    [{ action: "accept", approvalId: "x" }, "'approvalId'"],
  ])("at the inbox %j is refused", async (body, message) => {
    expect(await answer("apr_x", body)).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } })
  })

  test.each([
    [{}, "'action'"],
    [{ action: "accept", remember: "always" }, "'remember'"],
    [{ action: "accept", approvalIds: [] }, "'approvalIds'"],
    [{ action: "accept", approvalIds: "apr_x" }, "'approvalIds'"],
    [{ action: "accept", approvalIds: ["apr_x"], approvalId: "apr_x" }, "not both"],
    [{ action: "accept", approvalId: "" }, "'approvalId'"],
    [{ action: "accept", approvalId: "a".repeat(201) }, "'approvalId'"],
  ])("at the execution %j is refused", async (body, message) => {
    expect(await resume("exe_x", body)).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } })
  })

  test("an approval of another execution is not found", async () => {
    const [one, other] = [await server.run(write("one")), await server.run(write("other"))]
    const [id = ""] = idsOf(other)
    expect(await resume(one.executionId, { action: "accept", approvalId: id })).toMatchObject({ status: 404 })
    expect(await resume(one.executionId, { action: "accept", approvalIds: [...idsOf(one), id] })).toMatchObject({ status: 404 })
    expect(server.writes()).toEqual([])
    expect(await answer("apr_nope", { action: "accept" })).toMatchObject({ status: 404, body: { error: { code: "not_found" } } })
  })
})

describe("who answers", () => {
  test("an agent never accepts, but may decline", async () => {
    const token = server.tokens.memberAgent
    const paused = await server.run(write("agent's"), { token })
    const [id = ""] = idsOf(paused)
    const refused = { status: 403, body: { error: { code: "forbidden" } } }
    expect(await resume(paused.executionId, { action: "accept" }, token)).toMatchObject(refused)
    expect(await answer(id, { action: "accept" }, token)).toMatchObject(refused)
    expect(await answer(id, { action: "accept", remember: "always" }, token)).toMatchObject(refused)
    expect(await resume(paused.executionId, { action: "decline" }, token)).toMatchObject({
      status: 200,
      body: { structured: { result: false } },
    })
    expect(server.writes()).toEqual([])
  })

  test("its human accepts, another user does not see it", async () => {
    const paused = await server.run(write("for me"), { token: server.tokens.memberAgent })
    const [id = ""] = idsOf(paused)
    for (const who of ["otherAgent", "agent", "stranger"] as const) {
      expect(
        (await inbox(server.tokens[who])).map((one) => one.approvalId),
        who,
      ).not.toContain(id)
      expect(await answer(id, { action: "decline" }, server.tokens[who]), who).toMatchObject({ status: 404 })
    }
    expect(await inbox(server.tokens.member)).toContainEqual(
      expect.objectContaining({
        approvalId: id,
        executionId: paused.executionId,
        status: "pending",
        effect: "write",
        principal: expect.objectContaining({ user: "member", kind: "agent", tokenName: "test" }),
      }),
    )
    expect(await answer(id, { action: "accept" }, server.tokens.member)).toMatchObject({
      status: 200,
      body: { structured: { result: true } },
    })
    expect(server.writes()).toEqual(["for me"])
  })

  test("a member does not answer for another user", async () => {
    const paused = await server.run(write("admin's"))
    expect(await answer(idsOf(paused)[0] ?? "", { action: "accept" }, server.tokens.member)).toMatchObject({ status: 404 })
  })
})

describe("remember", () => {
  test("always makes a rule of the approver's own, and the audit shows it", async () => {
    const token = server.tokens.member
    const code = `return (await tools.ledger.items.remove({ name: "r" })).ok`
    const paused = await server.run(code, { token })
    expect(await answer(idsOf(paused)[0] ?? "", { action: "accept", remember: "always" }, token)).toMatchObject({ status: 200 })
    expect(resultOf(await server.run(code, { token }))).toBe(true)
    expect((await server.run(code)).status).toBe("paused")
    expect((await server.call("GET", "/api/policies", { token })).body).toMatchObject({
      items: [{ owner: "user", pattern: "ledger.org.main.items.remove", action: "allow" }],
    })
    expect((await server.call("GET", "/api/audit")).body).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ action: "policy.create", subject: "ledger.org.main.items.remove", outcome: "ok" }),
      ]),
    })
  })

  test("always is refused where the organisation demands approval", async () => {
    const rule = await server.call("POST", "/api/policies", {
      body: { owner: "org", pattern: "ledger.org.main.items.create", action: "require_approval" },
    })
    const { id } = rule.body as { id: string }
    const paused = await server.run(write("strict"))
    expect(await answer(idsOf(paused)[0] ?? "", { action: "accept", remember: "always" })).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", details: { rule: { id } } } },
    })
    expect(await answer(idsOf(paused)[0] ?? "", { action: "accept", remember: "execution" })).toMatchObject({ status: 200 })
    await server.call("DELETE", `/api/policies/${id}`)
  })
})
