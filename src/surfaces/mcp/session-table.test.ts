// Sessions that clients leave behind end by themselves; those in use do not.
import { Server } from "@modelcontextprotocol/server"
import { afterEach, expect, test, vi } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { localHuman } from "../../core/principal.ts"
import { silentLog } from "../../io/log.ts"
import type { Asker } from "./request-principal.ts"
import { createSessionTable } from "./session-table.ts"
import type { SessionTable } from "./session-table.ts"

const asker: Asker = {
  principal: { ...localHuman, tokenId: "tok_1", elicitation: ["browser"], surface: null },
  options: { mode: "browser", results: "envelope", discovery: "code", direct: null },
}
const build = () => Promise.resolve(new Server({ name: "t", version: "1" }, { capabilities: { tools: {} } }))

let table: SessionTable
afterEach(async () => {
  await table.close()
  vi.useRealTimers()
})

const request = (body: unknown, headers: Record<string, string> = {}) =>
  new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(body),
  })
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
}

async function open(): Promise<string> {
  const response = await table.handle(request(initialize), asker)
  await response.text()
  return response.headers.get("mcp-session-id") ?? ""
}

test("what is no hello opens nothing", async () => {
  table = createSessionTable({ build, limits: defaultLimits, log: silentLog })
  for (const body of [{ jsonrpc: "2.0", id: 1, method: "ping" }, [], "x"]) await (await table.handle(request(body), asker)).text()
  expect(table.size).toBe(0)
})

test("an idle session ends, one with an open stream does not", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "performance"] })
  table = createSessionTable({ build, limits: { ...defaultLimits, mcpSessionIdleMs: 60_000 }, log: silentLog })
  await open()
  const busy = await open()
  const stream = await table.handle(
    new Request("http://127.0.0.1/mcp", { headers: { accept: "text/event-stream", "mcp-session-id": busy } }),
    asker,
  )
  expect(table.size).toBe(2)
  vi.advanceTimersByTime(200_000)
  expect(table.size).toBe(1)
  await stream.body?.cancel()
  vi.advanceTimersByTime(200_000)
  expect(table.size).toBe(0)
})

test("when all are in use, another is refused", async () => {
  table = createSessionTable({ build, limits: { ...defaultLimits, mcpSessionsPerPrincipalMax: 1 }, log: silentLog })
  const id = await open()
  const stream = await table.handle(
    new Request("http://127.0.0.1/mcp", { headers: { accept: "text/event-stream", "mcp-session-id": id } }),
    asker,
  )
  await expect(table.handle(request(initialize), asker)).rejects.toMatchObject({ code: "rate_limited" })
  await stream.body?.cancel()
  await open()
  expect(table.size).toBe(1)
})
