// One agent's waiting executions fill its budget of memory and no more: the rest is on disk, whole, and gone with the server.
import { readFileSync, readdirSync } from "node:fs"
import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const patience = { timeout: 120_000 }
const runs = 30
/** What the server has by itself, the budget of 256 MB, and what is on its way to disk; 30 × 45 MB would be 1,350 more. */
const peakMegabytesMax = 1000

let server: Product
let agent: string
const held: ServerResponse[] = []
const upstream = createServer((request, response) => {
  request.resume()
  held.push(response)
})
let upstreamUrl: string
let closeUpstream: () => Promise<void>

beforeAll(async () => {
  const listening = await listen(upstream)
  upstreamUrl = listening.url
  closeUpstream = () => listening.close()
  server = await startProduct()
  const paths = { "/slow": { get: { operationId: "slow/get", parameters: [{ name: "n", in: "query" }], responses: {} } } }
  const spec = { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: upstreamUrl }], paths }
  await server.client.integrations.add({ slug: "t", kind: "openapi", config: { spec } })
  await server.client.connections.create({ integration: "t" })
  agent = (await server.client.tokens.create({ name: "greedy", kind: "agent" })).token
})
afterAll(async () => {
  await server.stop()
  await closeUpstream()
})

const megabytes = (field: "VmHWM" | "VmRSS"): number =>
  Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024)
const spillFiles = (): string[] => readdirSync(join(server.dataDir, "spill"))

async function runningIds(): Promise<string[]> {
  const { body } = await server.request("GET", "/executions?status=running&limit=200")
  return (body as { items: { executionId: string }[] }).items.map(({ executionId }) => executionId) // a page of executions
}

/** A pattern of its own in 45 MB, a call that is answered when the test says so, and a look at every page. */
const patterned = (n: number): string => `
  const a = new Uint8Array(45e6)
  for (let i = 0; i < a.length; i += 4096) a[i] = (i / 4096 + ${n}) % 251
  const answer = await tools.t.slow.get({ n: ${n} })
  for (let i = 0; i < a.length; i += 4096) if (a[i] !== (i / 4096 + ${n}) % 251) return "broken at " + i
  return answer.ok`

describe("an agent whose executions wait with 45 MB each", () => {
  test("fills its budget, and the others notice nothing", async () => {
    const waiting = Array.from({ length: runs }, (_, n) =>
      server.request("POST", "/executions", { code: patterned(n), timeoutMs: 600_000 }, agent),
    )
    await expect.poll(() => held.length, patience).toBe(runs)
    const other = await server.request("POST", "/executions", { code: "return 1" })
    expect(other.body).toMatchObject({ status: "completed", structured: { result: 1 } })
    for (const response of held.splice(0)) response.writeHead(200, { "content-type": "application/json" }).end("{}")
    const answers = await Promise.all(waiting)
    expect(answers.map(({ body }) => (body as { structured: { result: unknown } }).structured.result)).toEqual(answers.map(() => true))
    expect(megabytes("VmHWM")).toBeLessThan(peakMegabytesMax)
    expect(spillFiles()).toEqual([])
  })

  test("gives all of it back when they are cancelled", async () => {
    const code = "const a = new Uint8Array(45e6); for (let i=0;i<a.length;i+=4096) a[i]=1; await new Promise(r => setTimeout(r, 590000))"
    const waiting = Array.from({ length: runs }, () => server.request("POST", "/executions", { code, timeoutMs: 600_000 }, agent))
    await expect.poll(runningIds, patience).toHaveLength(runs)
    for (const id of await runningIds()) await server.request("POST", `/executions/${id}/cancel`, {})
    for (const { body } of await Promise.all(waiting)) expect(body).toMatchObject({ status: "cancelled" })
    expect(megabytes("VmHWM")).toBeLessThan(peakMegabytesMax)
    await expect.poll(() => megabytes("VmRSS"), patience).toBeLessThan(600)
  })

  test("and nothing of it is on disk after a kill", async () => {
    const waiting = Array.from({ length: 12 }, (_, n) =>
      server.request("POST", "/executions", { code: patterned(n), timeoutMs: 600_000 }, agent).catch(() => null),
    )
    await expect.poll(() => held.length, patience).toBe(12)
    await server.kill("SIGKILL")
    await Promise.all(waiting)
    expect(spillFiles()).toEqual([])
  })
})
