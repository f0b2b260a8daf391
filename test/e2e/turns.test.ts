// However long a request takes, the server goes on answering others: `/health` is asked beside each.
//
// How long a turn takes depends on the machine, so that it is judged by its share: a request may make the server's thread
// work as long as it needs, but no single turn of the event loop may do a large part of that work.
import { createServer, request as send } from "node:http"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { heldMark } from "../servers/thread-watch.ts"
import type { Held } from "../servers/thread-watch.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const toolsEach = 8000
/** Of the processor time that the server's thread spends on a request, the most that one turn may take. */
const turnShareMax = 1 / 4
/** A turn that is this short holds nobody up, however large its share of a short request is. */
const turnMsShort = 50

let product: Product
let closeUpstream: () => Promise<void>
let agent: string
let upstreamUrl: string

beforeAll(async () => {
  const answering = createServer((incoming, response) => {
    response.setHeader("content-type", "application/json")
    response.end(incoming.url === "/large" ? largeAnswer : JSON.stringify(documentOf(incoming.url ?? "")))
  })
  const upstream = await listen(answering)
  upstreamUrl = upstream.url
  closeUpstream = () => upstream.close()
  product = await startProduct({
    env: { NODE_OPTIONS: `--import ${new URL("../servers/thread-watch.ts", import.meta.url).href}`, THREAD_WATCH: "1" },
  })
  for (const slug of ["one"]) {
    await ok("POST", "/integrations", { slug, kind: "openapi", config: { spec: `${upstreamUrl}/${slug}`, baseUrl: upstreamUrl } })
    await ok("POST", "/connections", { integration: slug })
  }
  const made = (await product.request("POST", "/tokens", { name: "agent", kind: "agent" })).body as { token: string }
  agent = made.token
  // The index of a large catalog is built once, in slices that have a test of their own.
  await ok("GET", "/tools/search?query=create")
})
afterAll(async () => {
  await product.stop()
  await closeUpstream()
})

type Heavy = {
  readonly method: string
  readonly path: string
  readonly body?: () => unknown
  readonly status?: number
}

test.each<[string, Heavy]>([
  ["listing all tools", { method: "GET", path: "/tools?includeAnnotations=true" }],
  ["printing the types of the catalog", { method: "GET", path: "/tools/types" }],
  ["measuring search", { method: "POST", path: "/tools/evaluate", body: () => ({ cases: casesOf(60) }) }],
  ["naming a tool that is not there", { method: "GET", path: "/tools/schema?address=one.org.main.area7.invoise_itme7", status: 404 }],
  [
    "previewing a document",
    {
      method: "POST",
      path: "/integrations/preview",
      body: () => ({ kind: "openapi", config: { spec: `${upstreamUrl}/four`, baseUrl: upstreamUrl } }),
    },
  ],
  [
    "adding an inline document",
    {
      method: "POST",
      path: "/integrations",
      body: () => ({ slug: "inline", kind: "openapi", config: { spec: documentOf("inline"), baseUrl: upstreamUrl } }),
      status: 201,
    },
  ],
  [
    "changing the config of an inline document",
    { method: "PATCH", path: "/integrations/inline", body: () => ({ config: { exclude: ["*.item9*"] } }) },
  ],
  ["removing an integration", { method: "DELETE", path: "/integrations/inline", status: 204 }],
  [
    "a body of many values",
    {
      method: "POST",
      path: "/integrations/preview",
      body: () => ({
        kind: "openapi",
        config: { spec: { openapi: "3.1.0", paths: {}, "x-a": Array.from({ length: 900_000 }, () => []) } },
      }),
    },
  ],
  [
    "an answer of many values",
    { method: "POST", path: "/executions", body: () => ({ code: "return (await tools.one.org.main.large.get({})).ok" }) },
  ],
])(
  "%s",
  async (_name, { method, path, body, status = 200 }) => {
    await held()
    const heavy = { isOver: false }
    const text = body === undefined ? undefined : JSON.stringify(body())
    const answered = post(method, path, text).finally(() => (heavy.isOver = true))
    while (!heavy.isOver) expect((await product.request("GET", "/health")).status).toBe(200)
    const answer = await answered
    const { turnMs, totalMs } = await held()
    expect([answer.status, answer.status === status ? "" : answer.text]).toEqual([status, ""])
    expect(turnMs).toBeLessThan(Math.max(totalMs * turnShareMax, turnMsShort))
  },
  300_000,
)

test("measuring search is for human admins", async () => {
  const answer = await product.request("POST", "/tools/evaluate", { cases: casesOf(1) }, agent)
  expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } })
})

test("measuring search ends when its client goes away", async () => {
  const one = casesOf(1)
  await ok("POST", "/tools/evaluate", { cases: one })
  const leaving = new AbortController()
  const left = post("POST", "/tools/evaluate", JSON.stringify({ cases: casesOf(4000) }), leaving.signal).catch(() => "gone")
  // Once another request was answered, the long one is under way.
  await ok("GET", "/tools/search?query=create")
  leaving.abort()
  expect(await left).toBe("gone")
  // Nothing competes any more: the whole of a second measurement would otherwise wait for thousands of searches.
  await ok("POST", "/tools/evaluate", { cases: one })
  expect(product.output()).not.toContain("failed unexpectedly")
})

async function ok(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await product.request(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
}

/** What the server's thread did since the last time. */
async function held(): Promise<Held> {
  const told = (): string[] =>
    product
      .output()
      .split("\n")
      .slice(0, -1)
      .filter((line) => line.startsWith(heldMark))
  const before = told().length
  process.kill(product.pid, "SIGUSR2")
  while (told().length === before) await setTimeout(10)
  return JSON.parse((told().at(-1) ?? "").slice(heldMark.length)) as Held // thread-watch writes nothing else
}

/** Over a connection of its own, so that nothing waits behind it on the client's side. */
function post(method: string, path: string, body?: string, signal?: AbortSignal): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${product.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    }
    const outgoing = send(
      `${product.url}/api${path}`,
      { method, headers, agent: false, ...(signal === undefined ? {} : { signal }) },
      (response) => {
        const chunks: Buffer[] = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      },
    )
    outgoing.on("error", reject)
    outgoing.end(body)
  })
}

const largeAnswer = JSON.stringify(Array.from({ length: 200_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ["a", "b"] })))

const words = ["create", "item", "list", "users", "delete", "area", "update", "report", "invoice", "customer", "find"]
const casesOf = (count: number): unknown[] =>
  Array.from({ length: count }, (_, at) => ({
    query: Array.from({ length: 100 }, (_unused, word) => `${words[(at + word) % words.length]}${(at * 7 + word) % 97}`).join(" "),
    tools: { "one.area1.create_item1": 2 },
  }))

function documentOf(source: string): unknown {
  const operation = (index: number): unknown => ({
    operationId: `area${index % 50}/${words[index % words.length]}_item${index}`,
    summary: `${words[index % words.length]} item ${index}`,
    description: `What is done with item ${index} of ${source}: customers, invoices and reports of area ${index % 50}.`,
    parameters: [{ name: "limit", in: "query", schema: { type: "integer" }, description: `How many of ${index}` }],
    responses: {
      200: { description: "ok", content: { "application/json": { schema: { $ref: `#/components/schemas/Model${index % 500}` } } } },
    },
  })
  const paths = Object.fromEntries(Array.from({ length: toolsEach }, (_, index) => [`/item${index}`, { get: operation(index) }]))
  const model = (index: number): unknown => ({
    type: "object",
    properties: { id: { type: "string", description: source }, next: { $ref: `#/components/schemas/Model${(index + 1) % 500}` } },
  })
  return {
    openapi: "3.1.0",
    info: { title: source, version: "1" },
    paths: { ...paths, "/large": { get: { operationId: "large/get", responses: { 200: { description: "ok" } } } } },
    components: { schemas: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`Model${index}`, model(index)])) },
  }
}
