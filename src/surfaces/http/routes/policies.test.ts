// Policies over HTTP: rules bind at once, and decisions are explained.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { Page } from "../../../core/page.ts"
import type { PolicyView } from "../../../core/policy.ts"
import type { ExecutionServer } from "../testing/executions.ts"
import { resultOf, startExecutionServer } from "../testing/executions.ts"

let server: ExecutionServer
beforeAll(async () => {
  server = await startExecutionServer()
})
afterEach(async () => {
  for (const rule of await rules()) await server.call("DELETE", `/api/policies/${rule.id}`)
})
afterAll(() => server.close())

const rules = async (token = server.tokens.human): Promise<readonly PolicyView[]> =>
  ((await server.call("GET", "/api/policies", { token })).body as Page<PolicyView>).items
const create = (body: unknown, token = server.tokens.human) => server.call("POST", "/api/policies", { token, body })
const created = async (body: unknown): Promise<PolicyView> => (await create(body)).body as PolicyView
const ruleIn = ({ body }: { body: unknown }): PolicyView => body as PolicyView
const explain = (body: unknown, token = server.tokens.human) => server.call("POST", "/api/policies/explain", { token, body })

const address = "tools.ledger.org.main.items.create"
const make = (name: string): string =>
  `const made = await tools.ledger.items.create({ name: "${name}" }); return made.ok || made.error.code`

describe("rules", () => {
  test("from making to removing, binding at the next call", async () => {
    const made = await create({ owner: "org", pattern: "tools.ledger.*", action: "allow" })
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^pol_/),
        owner: "org",
        pattern: "ledger.**",
        action: "allow",
        when: [],
        position: expect.any(Number),
      },
    })
    const { id } = made.body as PolicyView
    expect(resultOf(await server.run(make("a")))).toBe(true)
    expect(await server.call("PATCH", `/api/policies/${id}`, { body: { action: "block" } })).toMatchObject({
      status: 200,
      body: { id, action: "block", pattern: "ledger.**" },
    })
    expect(resultOf(await server.run(make("a")))).toBe("tool_blocked")
    expect(await server.call("DELETE", `/api/policies/${id}`)).toMatchObject({ status: 204, body: "" })
    expect((await server.run(make("a"))).status).toBe("paused")
    for (const [method, body] of [["PATCH", {}], ["DELETE"]] as const)
      expect(await server.call(method, `/api/policies/${id}`, body === undefined ? {} : { body })).toMatchObject({ status: 404 })
  })

  test("a list is whole, or in pages that join to it", async () => {
    for (const n of [1, 2, 3, 4, 5]) await create({ owner: "org", pattern: `ledger.org.main.items.x${n}`, action: "block" })
    const all = await rules()
    expect(all).toHaveLength(5)
    const seen: string[] = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body } = await server.call("GET", `/api/policies?limit=2${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`)
      const page = body as Page<PolicyView>
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map((rule) => rule.id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(all.map((rule) => rule.id))
    expect(await server.call("GET", "/api/policies?cursor=WyJnb25lIl0")).toMatchObject({ status: 400 })
    expect(await server.call("GET", "/api/policies?cursor=garbage")).toMatchObject({ status: 400 })
  })

  test.each([
    [{}, "'owner'"],
    [{ owner: "root", pattern: "*", action: "allow" }, "'owner'"],
    [{ owner: "org", pattern: "", action: "allow" }, "'pattern'"],
    [{ owner: "org", pattern: "a..b", action: "allow" }, "empty segment"],
    [{ owner: "org", pattern: "a.(b)+", action: "allow" }, "at position 3 is not a letter"],
    [{ owner: "org", pattern: "a".repeat(300), action: "allow" }, "'pattern'"],
    [{ owner: "org", pattern: "*", action: "deny" }, "'action'"],
    [{ owner: "org", pattern: "*", action: "allow", when: {} }, "'when'"],
    [
      { owner: "org", pattern: "*", action: "allow", when: [{ arg: "a", op: "matches", value: 1 }] },
      "'when.0.op' is wrong: it must be one of eq, ne",
    ],
    [{ owner: "org", pattern: "*", action: "allow", when: [{ arg: "a", op: "lt" }] }, "'when.0.value' is wrong: it must be a number"],
    [{ owner: "org", pattern: "*", action: "allow", when: [{ arg: "a", op: "lt", value: {} }] }, "'when.0.value'"],
    [{ owner: "org", pattern: "*", action: "allow", when: [{ arg: "", op: "exists" }] }, "'when.0.arg'"],
    [{ owner: "org", pattern: "*", action: "allow", when: Array.from({ length: 21 }, () => ({ arg: "a", op: "exists" })) }, "'when'"],
    [{ owner: "org", pattern: "*", action: "allow", position: "first" }, "'position'"],
    [{ owner: "org", pattern: "*", action: "allow", id: "pol_1" }, "'id'"],
  ])("%j is refused", async (body, message) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", message: expect.stringContaining(message) } },
    })
    expect(await rules()).toEqual([])
  })

  test("a short pattern is for every connection, is shown so, and blocks", async () => {
    const made = await create({ owner: "org", pattern: "ledger.items.create", action: "block" })
    expect(made).toMatchObject({ status: 201, body: { pattern: "ledger.*.*.items.create" } })
    expect(made.body).not.toHaveProperty("warning")
    expect(await rules()).toMatchObject([{ pattern: "ledger.*.*.items.create" }])
    expect((await explain({ address: "ledger.items.create" })).body).toMatchObject({ verdict: "block", rule: { id: ruleIn(made).id } })
    expect(resultOf(await server.run(make("a")))).toBe("tool_blocked")
    const wider = await server.call("PATCH", `/api/policies/${ruleIn(made).id}`, { body: { pattern: "ledger.items.*" } })
    expect(wider.body).toMatchObject({ pattern: "ledger.*.*.items.**" })
    expect(resultOf(await server.run(make("a")))).toBe("tool_blocked")
  })

  test("the name of a connection is for all of its tools, and the answer says so", async () => {
    const made = await create({ owner: "org", pattern: "ledger.org.main", action: "block" })
    expect(made).toMatchObject({
      status: 201,
      body: { pattern: "ledger.org.main.**", warning: expect.stringContaining("read as a connection name") },
    })
    expect(ruleIn(made).warning).not.toContain("No tool currently matches")
    expect(resultOf(await server.run(make("a")))).toBe("tool_blocked")
    const { id } = ruleIn(made)
    const owners = await server.call("PATCH", `/api/policies/${id}`, { body: { pattern: "ledger.org" } })
    expect(owners.body).toMatchObject({ pattern: "ledger.org.**", warning: expect.stringContaining("ledger.org.**") })
    expect(resultOf(await server.run(make("a")))).toBe("tool_blocked")
    expect((await server.call("PATCH", `/api/policies/${id}`, { body: { action: "allow" } })).body).not.toHaveProperty("warning")
    const absent = await created({ owner: "org", pattern: "ledger.user.later", action: "block" })
    expect(absent).toMatchObject({
      pattern: "ledger.user.later.**",
      warning: expect.stringMatching(/read as a connection name.*No tool currently matches/),
    })
  })

  test("a tool that is named like an owner keeps its short path", async () => {
    const operation = { responses: { 200: { description: "ok" } } }
    const paths = { "/user": { get: { operationId: "user/get", ...operation } }, "/org": { get: { operationId: "org", ...operation } } }
    const spec = { openapi: "3.1.0", info: { title: "Users", version: "1" }, servers: [{ url: server.ledger.url }], paths }
    await server.call("POST", "/api/integrations", { body: { slug: "people", kind: "openapi", config: { spec } } })
    await server.call("POST", "/api/connections", { body: { integration: "people" } })
    for (const [pattern, whole] of [
      ["people.user.get", "people.*.*.user.get"],
      ["people.user.g*", "people.*.*.user.g*"],
      ["people.org", "people.*.*.org"],
      ["people.user.main", "people.user.main.**"],
    ])
      expect(await created({ owner: "org", pattern, action: "block" }), pattern).toMatchObject({ pattern: whole })
  })

  test("a rule that no tool fits yet is kept, and says so", async () => {
    const none = await create({ owner: "org", pattern: "ledger.itms.create", action: "block" })
    expect(none).toMatchObject({
      status: 201,
      body: { warning: expect.stringContaining("No tool currently matches ledger.*.*.itms.create") },
    })
    expect((await create({ owner: "org", pattern: "ledger", action: "block" })).body).toMatchObject({
      pattern: "ledger",
      warning: expect.stringContaining("write ledger.**"),
    })
    const core = await create({ owner: "org", pattern: "executor.coreTools.policies.*", action: "block" })
    expect(core.body).toMatchObject({ pattern: "executor.coreTools.policies.**" })
    expect(core.body).not.toHaveProperty("warning")
    for (const one of await rules()) expect(one).not.toHaveProperty("warning")
  })

  test("an agent lists none, but may ask what they make of a call", async () => {
    const rule = await created({ owner: "org", pattern: "ledger.**", action: "block" })
    for (const who of ["agent", "memberAgent"] as const)
      expect(await server.call("GET", "/api/policies", { token: server.tokens[who] }), who).toMatchObject({
        status: 403,
        body: { error: { code: "forbidden", message: expect.stringContaining("/policies/explain") } },
      })
    expect(await rules(server.tokens.member)).toEqual([rule])
    expect((await explain({ address }, server.tokens.agent)).body).toMatchObject({ verdict: "block", rule: { id: rule.id } })
  })

  test("who makes which", async () => {
    const org = { owner: "org", pattern: "ledger.**", action: "allow" }
    const own = { ...org, owner: "user" }
    expect(await create(org, server.tokens.member)).toMatchObject({ status: 403 })
    expect(await create(org, server.tokens.agent)).toMatchObject({ status: 403 })
    expect(await create(own, server.tokens.agent)).toMatchObject({ status: 403 })
    const mine = await create(own, server.tokens.member)
    expect(mine.status).toBe(201)
    const { id } = mine.body as PolicyView
    expect(await server.call("DELETE", `/api/policies/${id}`)).toMatchObject({ status: 404 })
    expect(
      await server.call("PATCH", `/api/policies/${id}`, { token: server.tokens.memberAgent, body: { action: "block" } }),
    ).toMatchObject({
      status: 403,
    })
    expect(await server.call("DELETE", `/api/policies/${id}`, { token: server.tokens.member })).toMatchObject({ status: 204 })
    const shared = await created(org)
    expect(await server.call("DELETE", `/api/policies/${shared.id}`, { token: server.tokens.member })).toMatchObject({ status: 403 })
    expect(await server.call("DELETE", `/api/policies/${shared.id}`, { token: server.tokens.stranger })).toMatchObject({ status: 404 })
    expect(await rules(server.tokens.stranger)).toEqual([])
  })
})

describe("explain", () => {
  test("the verdict, the rule that decided, and the rules it beat", async () => {
    expect(await explain({ address })).toMatchObject({ status: 200, body: { verdict: "require_approval", rule: null, beaten: [] } })
    const allow = await created({ owner: "user", pattern: "ledger.**", action: "allow" })
    const block = await created({ owner: "org", pattern: "ledger.**", action: "block", when: [{ arg: "name", op: "like", value: "bad*" }] })
    expect((await explain({ address, args: { name: "badly" } })).body).toMatchObject({
      verdict: "block",
      rule: { id: block.id },
      beaten: [{ rule: { id: allow.id }, reason: "not_stricter" }],
    })
    expect((await explain({ address: "ledger.items.create", args: { name: "fine" } })).body).toMatchObject({
      verdict: "allow",
      rule: { id: allow.id },
      beaten: [{ rule: { id: block.id }, reason: "condition_not_met" }],
    })
    expect((await explain({ address })).body).toMatchObject({ conditional: true })
  })

  test("a tool that always asks does so whatever the rules say", async () => {
    await created({ owner: "org", pattern: "*", action: "allow" })
    expect((await explain({ address: "executor.coreTools.policies.create" })).body).toMatchObject({
      verdict: "require_approval",
      message: expect.stringContaining("always requires approval"),
    })
    expect((await explain({ address: "executor.coreTools.integrations.list" })).body).toMatchObject({ verdict: "allow" })
  })

  test.each([
    [{}, 400],
    [{ address: "" }, 400],
    [{ address: "a".repeat(400) }, 400],
    [{ address, args: [] }, 400],
    [{ address, args: "x" }, 400],
    [{ address: "tools.ledger.org.main.nope" }, 404],
    [{ address: "__proto__" }, 404],
  ])("%j is %i", async (body, status) => {
    expect((await explain(body)).status).toBe(status)
  })

  test("nothing of another tenant is explained", async () => {
    expect(await explain({ address }, server.tokens.stranger)).toMatchObject({ status: 404, body: { error: { code: "tool_not_found" } } })
  })
})
