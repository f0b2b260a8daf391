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

  test("many that answer at once get one reply, and it happens once", async () => {
    const paused = await server.run(write("once"))
    const [id = ""] = idsOf(paused)
    const accept = { action: "accept" }
    const answers = await Promise.all([...Array(5)].flatMap(() => [resume(paused.executionId, accept), answer(id, accept)]))
    for (const one of answers) expect(one).toMatchObject({ status: 200, body: answers[0]?.body })
    expect(server.writes()).toEqual(["once"])
  })

  test("accept and decline at once: one wins, the other learns it", async () => {
    const paused = await server.run(write("either"))
    const [id = ""] = idsOf(paused)
    const both = await Promise.all([answer(id, { action: "accept" }), answer(id, { action: "decline" })])
    expect(new Set(both.map((one) => one.status))).toEqual(new Set([200, 409]))
    expect(server.writes()).toEqual(both[0]?.status === 200 ? ["either"] : [])
  })

  test("resume without ids never answers what was asked since", async () => {
    const paused = await server.run(`await tools.ledger.items.create({ name: "1" }); await tools.ledger.items.create({ name: "2" })`)
    const [first = ""] = idsOf(paused)
    const next = (await resume(paused.executionId, { action: "accept", approvalId: first })).body as ExecutionReply
    expect(next.status).toBe("paused")
    expect((await resume(paused.executionId, { action: "accept", approvalId: first })).body).toMatchObject({
      status: "paused",
      structured: { interactions: [{ approvalId: idsOf(next)[0] }] },
    })
    expect(server.writes()).toEqual(["1"])
    expect((await resume(paused.executionId, { action: "accept" })).body).toMatchObject({ status: "completed" })
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

  /** The first question of a running execution, as soon as it is in the inbox. */
  const findAsked = async (): Promise<ApprovalView> => {
    for (;;) {
      const { executionId } = await server.findRunning()
      const asked = (await inbox()).find((one) => one.executionId === executionId)
      if (asked !== undefined) return asked
    }
  }
  const asksEarly = (delay: number): string =>
    `const slow = tools.ledger.items.get({ name: "slow", delay: ${delay} }); const made = await tools.ledger.items.create({ name: "early" }); return [made.ok, (await slow).ok]`

  test("an answer may come while the code still runs: then there is no pause", async () => {
    const running = server.run(asksEarly(1500))
    const { approvalId } = await findAsked()
    const answered = await answer(approvalId, { action: "accept" })
    expect(answered).toMatchObject({ status: 200, body: { status: "completed", structured: { result: [true, true] } } })
    expect(await running).toEqual(answered.body)
    expect(server.ledger.entries.map((entry) => entry.name)).toEqual(["slow", "early"])
  })

  test("cancelling running code takes its questions back", async () => {
    const running = server.run(asksEarly(60_000))
    const { approvalId, executionId } = await findAsked()
    await server.call("POST", `/api/executions/${executionId}/cancel`)
    expect(await running).toMatchObject({ status: "cancelled" })
    expect((await inbox()).map((one) => one.approvalId)).not.toContain(approvalId)
    expect(await answer(approvalId, { action: "accept" })).toMatchObject({ status: 409, body: { error: { code: "already_answered" } } })
    expect(server.writes()).toEqual([])
  })

  test("code that does not wait for the answer takes its question back when it ends", async () => {
    const reply = await server.run(
      `const late = new Promise((done) => setTimeout(() => done("late"), 50)); return Promise.race([tools.ledger.items.create({ name: "x" }), late])`,
    )
    expect(resultOf(reply)).toBe("late")
    expect((await inbox()).filter((one) => one.executionId === reply.executionId)).toEqual([])
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
