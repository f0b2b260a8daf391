// The audit over HTTP: what happened is on record, and stays there.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { AuditView } from "../../../core/audit/entry.ts"
import type { Page } from "../../../core/page.ts"
import type { PolicyView } from "../../../core/policy.ts"
import type { ExecutionServer } from "../testing/executions.ts"
import { startExecutionServer } from "../testing/executions.ts"

let server: ExecutionServer
beforeAll(async () => {
  server = await startExecutionServer()
})
afterEach(async () => {
  const { items } = (await server.call("GET", "/api/policies")).body as Page<PolicyView>
  for (const rule of items) await server.call("DELETE", `/api/policies/${rule.id}`)
})
afterAll(() => server.close())

const create = (body: unknown, token = server.tokens.human) => server.call("POST", "/api/policies", { token, body })
const created = async (body: unknown): Promise<PolicyView> => (await create(body)).body as PolicyView

const address = "tools.ledger.org.main.items.create"
const make = (name: string): string =>
  `const made = await tools.ledger.items.create({ name: "${name}" }); return made.ok || made.error.code`

/** Entries are sealed at some moment, and are the same. */
const unlinked = (line: AuditView): AuditView => ({ ...line, position: null, previousHash: null, hash: null })

describe("audit", () => {
  const audit = async (query = ""): Promise<Page<AuditView>> => (await server.call("GET", `/api/audit${query}`)).body as Page<AuditView>

  test("calls with their decision, and changes with who made them", async () => {
    const rule = await created({ owner: "org", pattern: "ledger.org.main.items.remove", action: "block" })
    const run = await server.run(`await tools.ledger.items.remove({ name: "x" }); ${make("x")}`, {
      token: server.tokens.agent,
      approval: "throw",
    })
    await create({ owner: "org", pattern: "*", action: "allow" }, server.tokens.agent)
    const lines = (await audit("?limit=20")).items
    const find = (action: string, subject: string) => lines.find((line) => line.action === action && line.subject === subject)
    expect(find("call", "tools.ledger.org.main.items.remove")).toMatchObject({
      executionId: run.executionId,
      decision: "block",
      rule: rule.id,
      outcome: "tool_blocked",
      principal: { user: "local", kind: "agent" },
    })
    expect(find("call", address)).toMatchObject({ decision: "require_approval", outcome: "approval_required" })
    expect(find("policy.create", "ledger.org.main.items.remove")).toMatchObject({ outcome: "ok", principal: { kind: "human" } })
    expect(find("policy.create", "*")).toMatchObject({ outcome: "forbidden", principal: { kind: "agent" } })
  })

  test("a change of a rule can be read when the rule is gone", async () => {
    const when = [{ arg: "name", op: "eq", value: "x" }]
    const made = await created({ owner: "org", pattern: "tools.ledger.items.*", action: "block", when, position: 7 })
    await server.call("PATCH", `/api/policies/${made.id}`, { body: { action: "allow", pattern: "ledger.org.main.*" } })
    await server.call("DELETE", `/api/policies/${made.id}`)
    const before = { id: made.id, owner: "org", pattern: "ledger.*.*.items.**", action: "block", when, position: 7 }
    const after = { ...before, action: "allow", pattern: "ledger.org.main.**" }
    const [removed, updated, making] = (await audit("?limit=3")).items
    expect(making).toMatchObject({ action: "policy.create", subject: before.pattern, outcome: "ok" })
    expect(making?.details).toEqual(before)
    expect(updated).toMatchObject({ action: "policy.update", subject: made.id })
    expect(updated?.details).toEqual({ before, after })
    expect(removed).toMatchObject({ action: "policy.remove", subject: made.id })
    expect(removed?.details).toEqual(after)
    expect(await server.call("DELETE", `/api/policies/${made.id}`)).toMatchObject({ status: 404 })
    expect((await audit("?limit=1")).items).toMatchObject([{ action: "policy.remove", outcome: "not_found", details: {} }])
  })

  test("filtered by each of its fields and by time", async () => {
    const rule = await created({ owner: "org", pattern: "ledger.org.main.items.remove", action: "block" })
    const run = await server.run(`await tools.ledger.items.remove({ name: "x" }); await tools.ledger.items.get({ name: "x" })`)
    const subjects = async (query: string) => (await audit(query)).items.map((line) => line.subject)
    expect(await subjects(`?rule=${rule.id}`)).toEqual(["tools.ledger.org.main.items.remove"])
    expect(await subjects(`?executionId=${run.executionId}`)).toHaveLength(2)
    expect(await subjects(`?execution_id=${run.executionId}&outcome=tool_blocked`)).toEqual(["tools.ledger.org.main.items.remove"])
    expect(await subjects(`?executionId=${run.executionId}&action=policy.create`)).toEqual([])
    expect((await subjects("?action=policy.create&outcome=ok"))[0]).toBe(rule.pattern)
    const [refusal] = (await audit("?outcome=tool_blocked")).items
    const id = encodeURIComponent(refusal?.id ?? "")
    expect((await audit(`?id=${id}`)).items).toEqual([refusal])
    expect(await subjects(`?id=${id}&action=policy.create`)).toEqual([])
    expect(await subjects("?subject=ledger.org.main.items.remove&user=local&outcome=tool_blocked")).toContain(refusal?.subject)
    expect(await subjects("?subject=ledger.org.main.items.remove&user=member")).toEqual([])
    expect(await subjects("?from=2020-01-01&to=2020-01-02")).toEqual([])
    expect(await subjects(`?from=${refusal?.at}&id=${id}`)).toHaveLength(1)
    expect(await subjects(`?to=${refusal?.at}&id=${id}`)).toEqual([])
    const first = await audit("?action=policy.create&limit=1")
    const second = await audit(`?action=policy.create&limit=1&cursor=${encodeURIComponent(first.nextCursor ?? "")}`)
    expect(second.items[0]?.id).toBe((await audit("?action=policy.create&limit=2")).items[1]?.id)
    for (const query of ["?tool=x", "?action=", "?outcome=ok&outcome=ok", "?from=yesterday---", "?to=2026-13-01"])
      expect(await server.call("GET", `/api/audit${query}`), query).toMatchObject({ status: 400 })
  })

  test("newest first, in pages that join to the whole", async () => {
    const all = (await audit("?limit=1000")).items
    expect(all.map((line) => line.at)).toEqual(
      all
        .map((line) => line.at)
        .toSorted()
        .toReversed(),
    )
    const seen: string[] = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Page<AuditView> = await audit(`?limit=3${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`)
      seen.push(...page.items.map((line) => line.id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(all.map((line) => line.id))
  })

  test("calls stay when the executions that made them are forgotten", async () => {
    const forgetful = await startExecutionServer({ limits: { historyMs: 1, historyKeptMin: 0 } })
    try {
      const code = `for (const name of ["a", "b", "c"]) await tools.ledger.items.get({ name })`
      for (const token of [forgetful.tokens.human, forgetful.tokens.agent]) await forgetful.run(code, { token })
      const read = async (path: string) => (await forgetful.call("GET", path)).body as Page<AuditView>
      const before = await read("/api/audit?limit=100")
      const first = await read("/api/audit?action=call&limit=2")
      expect(before.items.filter((line) => line.action === "call")).toHaveLength(6)
      // Forgetting is part of few rounds, so that it may take all of them until the next one.
      for (let round = 0; round < 250 && (await read("/api/executions")).items.length > 0; round += 1) await forgetful.recover()
      expect((await read("/api/executions")).items).toEqual([])
      expect((await read("/api/audit?limit=100")).items.map(unlinked)).toEqual(before.items.map(unlinked))
      const rest = await read(`/api/audit?action=call&cursor=${encodeURIComponent(first.nextCursor ?? "")}`)
      expect([...first.items, ...rest.items].map(unlinked)).toEqual(before.items.filter((line) => line.action === "call").map(unlinked))
    } finally {
      await forgetful.close()
    }
  })

  test("it is for humans, who read what they and their agents did, and admins all of it; nothing of another tenant", async () => {
    for (const who of ["agent", "memberAgent"] as const)
      expect(await server.call("GET", "/api/audit", { token: server.tokens[who] }), who).toMatchObject({ status: 403 })
    await server.run("return await tools.ledger.items.get({ name: 'x' })", { token: server.tokens.memberAgent })
    const own = (await server.call("GET", "/api/audit?limit=1000", { token: server.tokens.member })).body as Page<AuditView>
    expect(new Set(own.items.map(({ principal }) => principal.user))).toEqual(new Set(["member"]))
    expect(own.items.map(({ action }) => action)).toContain("call")
    const { body } = await server.call("GET", "/api/audit", { token: server.tokens.stranger })
    expect(JSON.stringify(body)).not.toContain("ledger")
  })

  test("changes of integrations, connections and tokens say what was there before and after", async () => {
    await server.call("PATCH", "/api/integrations/ledger", { body: { name: "Books" } })
    const [renamed] = (await audit("?action=integration.update&limit=1")).items
    expect(renamed).toMatchObject({ subject: "ledger", details: { after: { name: "Books" } } })
    expect(renamed).not.toMatchObject({ details: { before: { name: "Books" } } })
    await server.call("POST", "/api/connections", { body: { integration: "ledger", name: "brief" } })
    await server.call("DELETE", "/api/connections/org/ledger/brief")
    expect((await audit("?action=connection.create&limit=1")).items).toMatchObject([
      { details: { before: null, after: { status: "ready" } } },
    ])
    expect((await audit("?action=connection.remove&limit=1")).items).toMatchObject([
      { details: { before: { status: "ready" }, after: null } },
    ])
    const { id } = (await server.call("POST", "/api/tokens", { body: { name: "short", kind: "agent" } })).body as { id: string }
    await server.call("DELETE", `/api/tokens/${id}`)
    expect((await audit("?action=token.remove&limit=1")).items).toMatchObject([
      { subject: id, details: { before: { id, name: "short", kind: "agent" }, after: null } },
    ])
    await server.call("DELETE", `/api/tokens/${id}`)
    expect((await audit("?action=token.remove&limit=1")).items).toMatchObject([{ outcome: "not_found", details: {} }])
  })

  test("no secret of a request is in it", async () => {
    await server.call("POST", "/api/connections", {
      body: { integration: "ledger", name: "secret", auth: { template: "bearer", values: { token: "hush-hush" } } },
    })
    const made = (await server.call("POST", "/api/tokens", { body: { name: "audited", kind: "agent" } })).body as {
      id: string
      token: string
    }
    expect((await audit("?limit=1")).items[0]).toMatchObject({ subject: "audited", details: { id: made.id, kind: "agent" } })
    const text = JSON.stringify(await audit("?limit=1000"))
    expect(text).toContain("token.create")
    expect(text).not.toContain("hush-hush")
    expect(text).not.toContain(made.token)
  })
})
