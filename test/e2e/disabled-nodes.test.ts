// Two servers on one database: what one of them ends, a user, a token or a consent, ends at once what the other has open for it.
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
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { legacySession, modernVersion, post } from "./mcp-wire.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

// No tick of a lease helps: what ends, ends because it was told.
const limits = { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600_000 }) }
const databases = {
  "one PostgreSQL": async (dataDirs: readonly string[]) => {
    const url = await (await sharedPostgres()).createDatabase()
    const env = { ...limits, EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }
    return { nodes: dataDirs.map((dataDir) => ({ dataDir, env })), open: () => openPostgresStore({ url }) }
  },
  "one SQLite file": async ([dataDir = ""]: readonly string[]) => ({
    nodes: [1, 2].map(() => ({ dataDir, env: limits })),
    open: () => openSqliteStore({ path: join(dataDir, "executor.db") }),
  }),
}

describe.each(Object.entries(databases))("two servers on %s", (_name, optionsFor) => {
  let ledger: Ledger
  let here: Product
  let other: Product
  let store: Store
  const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-node-")))

  beforeAll(async () => {
    ledger = await startLedger()
    const { nodes, open } = await optionsFor(dataDirs)
    here = await startProduct(nodes[0])
    other = await startProduct(nodes[1])
    store = await open()
    await here.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await here.client.connections.create({ integration: "ledger" })
  })
  afterAll(async () => {
    await store.close()
    await Promise.all([here.kill("SIGTERM"), other.kill("SIGTERM")])
    await ledger.close()
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
  })

  async function newPerson(id: string, kind: "human" | "agent", roles: string[]): Promise<{ id: string; token: string }> {
    if ((await store.users.get({ tenant: "default", user: id })) === null) await other.client.users.create({ id, name: id, roles })
    const { row, token } = newToken({ tenant: "default", user: id }, { name: kind, kind }, systemClock)
    await store.tokens.put(row)
    await expect.poll(async () => (await here.request("GET", "/tools", undefined, token)).status).toBe(200)
    return { id: row.id, token }
  }
  const opened = async (
    path: string,
    token: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream", ...init.headers }
    const response = await fetch(`${here.url}${path}`, { ...init, headers })
    expect([response.status, response.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/event-stream")])
    return response
  }
  /** In both eras, and a stream of the API. */
  async function openStreams(token: string): Promise<Response[]> {
    const session = await legacySession({ url: `${here.url}/mcp`, token })
    const meta = {
      "io.modelcontextprotocol/protocolVersion": modernVersion,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
    }
    const listen = {
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    }
    const modern = { "content-type": "application/json", "mcp-protocol-version": modernVersion, "mcp-method": listen.method }
    return [
      await opened("/mcp", token, { headers: { "mcp-session-id": session.id, "mcp-protocol-version": "2025-06-18" } }),
      await opened("/mcp", token, { method: "POST", headers: modern, body: JSON.stringify(listen) }),
      await opened("/api/approvals/events", token),
    ]
  }
  /** Ends by itself; a stream that stays open lets the test run out of time. */
  const ended = (streams: readonly Response[]): Promise<string[]> => Promise.all(streams.map((stream) => stream.text()))

  test("a disabled user, a removed one and a revoked token lose their streams, and nobody else does", async () => {
    const kept = await newPerson("kept", "agent", ["member"])
    const bystanders = await openStreams(kept.token)
    const [anna, ben, cleo] = [
      await newPerson("anna", "agent", ["member"]),
      await newPerson("ben", "agent", ["member"]),
      await newPerson("cleo", "agent", ["member"]),
    ]
    const streams = await Promise.all([anna, ben, cleo].map(({ token }) => openStreams(token)))
    await other.client.users.update("anna", { status: "disabled" })
    await other.client.users.remove("ben")
    await other.client.tokens.remove(cleo.id)
    await ended(streams.flat())
    // They still hear of what changes.
    const heard = bystanders.slice(0, 2).map((stream) => firstWith(stream, "notifications/tools/list_changed"))
    const shown = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }
    expect((await post({ url: `${here.url}/mcp`, token: anna.token }, shown)).status).toBe(401)
    await listOnce(kept.token)
    await other.client.users.update("kept", { roles: [] })
    await Promise.all(heard)
    for (const stream of bystanders.slice(2)) await stream.body?.cancel()
  })

  /** Clients are told of a change of what they have listed. */
  async function listOnce(token: string): Promise<void> {
    const session = await legacySession({ url: `${here.url}/mcp`, token })
    expect((await session.send("tools/list")).status).toBe(200)
  }
  async function firstWith(stream: Response, text: string): Promise<void> {
    const decoder = new TextDecoder()
    let read = ""
    for await (const chunk of stream.body ?? []) {
      read += decoder.decode(chunk)
      if (read.includes(text)) return
    }
    throw new Error(`The stream ended without ${text}: ${read}`)
  }

  test("a service account's execution ends with whoever made its token, at once, and so do its streams", async () => {
    const maker = await newPerson("maker", "human", ["admin"])
    await other.client.users.create({ id: "robot", name: "Robot", roles: ["member"], service: true })
    const asMaker = createClient({ origin: `${here.url}/api`, token: maker.token })
    const made = await asMaker.tokens.create({ name: "robot", kind: "agent", user: "robot" })
    const own = await here.client.tokens.create({ name: "robot of another", kind: "agent", user: "robot" })
    const streams = await openStreams(made.token)
    const run = (token: string, name: string, delay: number) =>
      here.request("POST", "/executions", { code: `await tools.ledger.items.get({ name: "${name}", delay: ${delay} }); return 1` }, token)
    const paused = (
      await createClient({ origin: `${here.url}/api`, token: made.token }).run(`return tools.ledger.items.create({ name: "later" })`)
    ).executionId
    const [lost, going] = [run(made.token, "lost", 120_000), run(own.token, "going", 120_000)]
    await expect.poll(() => ledger.underWay()).toEqual(expect.arrayContaining(["lost", "going"]))
    await other.client.users.update("maker", { status: "disabled" })
    expect((await lost).body).toMatchObject({ status: "cancelled" })
    ledger.release("going")
    expect((await going).body).toMatchObject({ status: "completed" })
    await ended(streams)
    // As with a disabled user's: what waits is left for an admin.
    expect((await other.client.executions.get(paused)).status).toBe("paused")
    expect(await other.client.executions.cancel(paused)).toMatchObject({ status: "cancelled" })
  })
})
