// The life of people over HTTP, on both databases: what disabling and removing ends, what auditors read, who accepts an invitation, who stays admin.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { systemClock } from "../../src/io/clock.ts"
import { newToken } from "../../src/identity/token-create.ts"
import { openPostgresStore } from "../../src/store/postgres.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import type { Store } from "../../src/store/store.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

describe.each(["sqlite", "postgres"] as const)("on %s", (dialect) => {
  let ledger: Ledger
  let product: Product
  let store: Store
  const dataDir = mkdtempSync(join(tmpdir(), "executor-people-"))
  const tokens: Record<string, string> = {}
  const as = (who: string, method: string, path: string, body?: unknown) => product.request(method, path, body, tokens[who])
  const api = (who: string): Client => createClient({ origin: `${product.url}/api`, token: tokens[who] ?? "" })

  beforeAll(async () => {
    ledger = await startLedger()
    const databaseUrl = dialect === "postgres" ? await (await sharedPostgres()).createDatabase() : null
    product = await startProduct({
      dataDir,
      env:
        databaseUrl === null ? {} : { EXECUTOR_SECRET_KEY: "a key of more than thirty-two characters", EXECUTOR_DATABASE_URL: databaseUrl },
    })
    store =
      databaseUrl === null ? await openSqliteStore({ path: join(dataDir, "executor.db") }) : await openPostgresStore({ url: databaseUrl })
    await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await product.client.connections.create({ integration: "ledger" })
    await product.client.roles.create({ id: "audits", name: "Audits", patterns: [], rights: ["auditor"] })
    await product.client.roles.create({ id: "reader", name: "Reader", patterns: ["ledger.items.get"] })
    await product.client.roles.create({ id: "lead", name: "Lead", patterns: ["ledger.**"], rights: ["people.invite"] })
    tokens["stranger"] = (await product.client.tenants.create({ id: "acme" })).token
  })
  afterAll(async () => {
    await store.close()
    await product.kill("SIGTERM")
    await ledger.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Tokens of people come from their sign-in, which is tried elsewhere: here they are written straight into the store. */
  async function giveTokens(user: string, tenant = "default"): Promise<void> {
    for (const [name, kind] of [
      [user, "human"],
      [`${user}-agent`, "agent"],
    ] as const) {
      const { row, token } = newToken({ tenant, user }, { name, kind }, systemClock)
      await store.tokens.put(row)
      tokens[name] = token
    }
  }
  async function addPerson(id: string, roles: string[]): Promise<void> {
    await product.client.users.create({ id, name: id, roles })
    await giveTokens(id)
  }
  const pause = async (who: string, name: string): Promise<{ executionId: string; approvalId: string }> => {
    const { executionId, structured } = await api(who).run(`return await tools.ledger.items.create({ name: "${name}" })`)
    return {
      executionId,
      approvalId: structured.status === "waiting_for_interaction" ? (structured.interactions[0]?.approvalId ?? "") : "",
    }
  }
  const openStream = async (who: string, path: string): Promise<Response> => {
    const response = await fetch(`${product.url}/api${path}`, { headers: { authorization: `Bearer ${tokens[who]}` } })
    expect(response.status).toBe(200)
    return response
  }
  const writes = (name: string): number => ledger.entries.filter((entry) => entry.method === "POST" && entry.name === name).length

  describe.each(["disable", "remove"] as const)("%s", (action) => {
    const user = `anna-${action}`
    test("ends what runs in their name and their agents', and every open stream, at once", async () => {
      await addPerson(user, ["member"])
      const waiting = await pause(`${user}-agent`, user)
      const running = [user, `${user}-agent`].map((who) =>
        as(who, "POST", "/executions", {
          code: `await tools.ledger.items.get({ name: "${who}", delay: 60_000 }); return await tools.ledger.items.create({ name: "${user}" })`,
        }),
      )
      await expect.poll(() => ledger.underWay()).toEqual(expect.arrayContaining([user, `${user}-agent`]))
      const list = async () => (await api(user).executions.list({ status: "running" })).items
      await expect.poll(list).not.toEqual([])
      const followed = (await list())[0]?.executionId ?? ""
      const streams = [await openStream(user, "/approvals/events"), await openStream(user, `/executions/${followed}/events`)]
      if (action === "disable") await product.client.users.update(user, { status: "disabled" })
      else await product.client.users.remove(user)
      for (const reply of await Promise.all(running)) expect(reply.body).toMatchObject({ status: "cancelled" })
      for (const stream of streams) expect(await stream.text()).toContain(": open")
      for (const who of [user, `${user}-agent`]) expect((await as(who, "GET", "/me")).status).toBe(401)

      const answer = await product.request("POST", `/approvals/${waiting.approvalId}`, { action: "accept" })
      expect([403, 409]).toContain(answer.status)
      const shown = await product.client.executions.get(waiting.executionId)
      expect(shown.status).toBe(action === "disable" ? "paused" : "cancelled")
      if (action === "disable") expect(await product.client.executions.cancel(waiting.executionId)).toMatchObject({ status: "cancelled" })
      expect(writes(user)).toBe(0)
      if (action === "remove") expect((await product.request("POST", "/users", { id: user, name: "x", roles: [] })).status).toBe(409)
    })
  })

  test("a revoked token ends the streams that it opened", async () => {
    const { id, token } = await product.client.tokens.create({ name: "short", kind: "human" })
    tokens["short"] = token
    const stream = await openStream("short", "/approvals/events")
    await product.client.tokens.remove(id)
    expect(await stream.text()).toContain(": open")
  })

  test("a browser that is signed out, or whose human loses a right, reads no stream any longer", async () => {
    await addPerson("sam", ["audits", "member"])
    const open = async (): Promise<Response> => {
      const { code } = await api("sam").sessions.create()
      const headers = { origin: product.url, "content-type": "application/json" }
      const signedIn = await fetch(`${product.url}/signin`, { method: "POST", headers, body: JSON.stringify({ code }) })
      const { key } = (await signedIn.json()) as { key: string }
      const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? ""
      const stream = await fetch(`${product.url}/api/approvals/events`, { headers: { cookie, "x-executor-session-key": key } })
      expect(stream.status).toBe(200)
      return stream
    }
    const first = await open()
    await product.client.sessions.remove((await api("sam").sessions.list()).items[0]?.id ?? "")
    expect(await first.text()).toContain(": open")
    const second = await open()
    await product.client.users.update("sam", { roles: ["member"] })
    expect(await second.text()).toContain(": open")
  })

  test("an auditor reads every execution and the audit, and changes nothing", async () => {
    await addPerson("audrey", ["audits"])
    await addPerson("mia", ["member"])
    const { executionId, approvalId } = await pause("mia", "mia")
    expect((await api("audrey").executions.list()).items.map((one) => one.executionId)).toContain(executionId)
    expect((await api("audrey").executions.get(executionId)).status).toBe("paused")
    expect((await as("audrey", "GET", `/approvals/${approvalId}`)).status).toBe(200)
    expect((await api("audrey").audit.list({ action: "user.create" })).items[0]).toMatchObject({ subject: "mia" })
    expect((await api("audrey").users.list()).items.map(({ id }) => id)).toEqual(expect.arrayContaining(["local", "mia"]))
    expect((await api("mia").executions.list()).items.map((one) => one.executionId)).toEqual([executionId])
    expect((await api("mia").audit.list({ action: "user.create" })).items).toEqual([])
    expect((await as("audrey-agent", "GET", `/executions/${executionId}`)).status).toBe(404)
    for (const [method, path, body] of [
      ["POST", `/approvals/${approvalId}`, { action: "accept" }],
      ["POST", `/approvals/${approvalId}`, { action: "decline" }],
      ["POST", `/executions/${executionId}/resume`, { action: "accept" }],
      ["POST", `/executions/${executionId}/cancel`],
      ["POST", "/users", { name: "x", roles: [] }],
      ["PATCH", "/users/audrey", { roles: ["admin"] }],
      ["PATCH", "/users/mia", { name: "x" }],
      ["DELETE", "/users/mia"],
      ["POST", "/roles", { id: "x", name: "x", patterns: ["*"] }],
      ["PATCH", "/roles/audits", { patterns: ["*"] }],
      ["DELETE", "/roles/reader"],
      ["POST", "/invitations", { roles: [] }],
      ["POST", "/policies", { owner: "org", pattern: "**", action: "allow" }],
      ["DELETE", "/integrations/ledger"],
      ["DELETE", "/connections/org/ledger/main"],
      ["GET", "/signin/providers"],
    ] as const)
      expect([method, path, (await as("audrey", method, path, body)).status]).toEqual([method, path, 403])
    expect(await as("audrey", "GET", "/tools")).toMatchObject({ body: { items: [] } })
    expect((await product.client.executions.get(executionId)).status).toBe("paused")
    expect(writes("mia")).toBe(0)
  })

  describe("an invitation", () => {
    const accept = (who: string, token: string) => as(who, "POST", "/invitations/accept", { token })
    const rolesOf = async (user: string): Promise<string[]> => (await product.client.users.get(user)).roles.map(({ role }) => role)

    test("is accepted once, also when two come at once", async () => {
      for (const id of ["gina", "hugo"]) await addPerson(id, [])
      const { token } = await product.client.invitations.create({ name: "Guest", roles: ["reader"] })
      const replies = await Promise.all([accept("gina", token), accept("hugo", token)])
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect([...(await rolesOf("gina")), ...(await rolesOf("hugo"))]).toEqual(["reader"])
      expect((await accept("gina", token)).status).toBe(409)
    })

    test("is worth nothing once revoked or expired, in another tenant, to an agent, or guessed", async () => {
      await addPerson("ines", [])
      const { id, token } = await product.client.invitations.create({ name: "Guest", roles: ["reader"] })
      expect((await accept("stranger", token)).status).toBe(404)
      expect((await accept("ines-agent", token)).status).toBe(403)
      expect((await accept("ines", "exi_0000")).status).toBe(404)
      expect((await as("stranger", "DELETE", `/invitations/${id}`)).status).toBe(404)
      await product.client.invitations.remove(id)
      expect((await accept("ines", token)).status).toBe(404)
      const late = await product.client.invitations.create({ name: "Late", roles: ["reader"] })
      const row = await store.invitations.get("default", late.id)
      if (row === null) throw new Error("It was made")
      await store.invitations.remove("default", late.id)
      await store.invitations.put({ ...row, expiresAt: "2020-01-01T00:00:00.000Z" })
      expect(await accept("ines", late.token)).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining("expired") } },
      })
      expect(await rolesOf("ines")).toEqual([])
    })

    test("gives nothing that the inviter does not have, then or when it is accepted", async () => {
      for (const id of ["lea", "jon"]) await addPerson(id, id === "lea" ? ["lead"] : [])
      for (const roles of [["admin"], ["member"], ["audits"]])
        expect((await as("lea", "POST", "/invitations", { name: "x", roles })).status).toBe(403)
      const made = await api("lea").invitations.create({ name: "Guest", roles: ["reader"] })
      await product.client.users.update("lea", { roles: ["reader"] })
      expect((await accept("jon", made.token)).status).toBe(403)
      await product.client.users.update("lea", { roles: ["lead"] })
      await product.client.roles.update("reader", { patterns: ["**"] })
      expect((await accept("jon", made.token)).status).toBe(403)
      await product.client.roles.update("reader", { patterns: ["ledger.items.get"] })
      await product.client.users.update("lea", { status: "disabled" })
      expect((await accept("jon", made.token)).status).toBe(403)
      await product.client.users.update("lea", { status: "active" })
      expect(await rolesOf("jon")).toEqual([])
      expect((await accept("jon", made.token)).status).toBe(200)
      expect(await rolesOf("jon")).toEqual(["reader"])
    })
  })

  test("of two admins who remove each other at once one stays, and never goes", async () => {
    await as("stranger", "POST", "/users", { id: "eve", name: "Eve", roles: ["admin"] })
    await giveTokens("eve", "acme")
    const replies = await Promise.all([as("stranger", "DELETE", "/users/eve"), as("eve", "PATCH", "/users/admin", { status: "disabled" })])
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status < 300)).toHaveLength(1)
    expect([401, 403]).toContain(statuses.find((status) => status >= 300))
    const [who, id] = (statuses[0] ?? 0) < 300 ? ["stranger", "admin"] : ["eve", "eve"]
    for (const [method, body] of [["DELETE"], ["PATCH", { status: "disabled" }], ["PATCH", { roles: ["member"] }]] as const)
      expect((await as(who, method, `/users/${id}`, body)).status).toBe(409)
    // Nor by the end of the sign-in provider that made them admin.
    await as(who, "POST", "/signin/providers", { id: "sso", name: "SSO", issuer: "https://issuer.example.com", clientId: "c" })
    const row = await store.users.get({ tenant: "acme", user: id })
    if (row === null) throw new Error("They are there")
    await store.users.put({ ...row, roles: [{ role: "admin", from: "sso:sso" }] })
    expect((await as(who, "DELETE", "/signin/providers/sso")).status).toBe(409)
    expect((await as(who, "GET", "/me")).body).toMatchObject({ id, rights: [{ right: "admin" }] })
  })
})
