// Retrieval pipelines against the real product: over HTTP, as tools, with a real embedding endpoint, and on the command line.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startModelServer } from "../servers/model.ts"
import type { ModelServer } from "../servers/model.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { openCli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let model: ModelServer
let isDown = false
beforeAll(async () => {
  model = await startModelServer([], {
    dimensions: 32,
    failEmbedding: () => (isDown ? { fail: "status", status: 503, message: "no" } : undefined),
  })
  product = await startProduct()
  await product.client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
  await product.client.pipelines.create({ name: "Handbook" })
  await product.client.pipelines.documents.add("handbook", {
    source: "holidays.md",
    markdown: "# Holidays\n\nEverybody has thirty days of holiday.",
  })
  await product.client.pipelines.documents.add("handbook", { source: "travel.md", markdown: "# Travel\n\nTake the train." })
})
afterAll(async () => {
  await product.stop()
  await model.close()
})

/** Of a database of its own. */
const databaseEnv = async (database: "sqlite" | "postgresql"): Promise<Record<string, string>> =>
  database === "sqlite"
    ? {}
    : { EXECUTOR_DATABASE_URL: await (await sharedPostgres()).createDatabase(), EXECUTOR_SECRET_KEY: "a key for the tests of pipelines" }

const ready = (client: Product["client"], id: string) =>
  expect.poll(async () => (await client.pipelines.get(id)).index, { interval: 50 }).toMatchObject({ status: "ready", vectorsLeft: 0 })

describe("over HTTP", () => {
  test("a pipeline is made, filled, asked and removed, and the audit knows who did", async () => {
    const { request } = product
    expect(await request("POST", "/pipelines", { name: "Notes", chunking: { tokens: 100 } })).toMatchObject({
      status: 201,
      body: { slug: "notes", chunking: { tokens: 100, overlap: 25 }, embedding: null, documents: 0 },
    })
    const add = (body: object) => request("POST", "/pipelines/notes/documents", body)
    expect(await add({ source: "a", text: "Ginger tea" })).toMatchObject({ status: 201, body: { outcome: "created", chunks: 1 } })
    expect(await add({ source: "a", text: "Lemon tea" })).toMatchObject({ status: 201, body: { outcome: "updated" } })
    const file = { name: "page.html", data: Buffer.from("<title>Shop</title><p>Closed on Sundays.</p>").toString("base64") }
    expect(await add({ file })).toMatchObject({ status: 201, body: { title: "Shop", format: "markdown", source: null } })
    expect(await add({ text: "a", html: "b" })).toMatchObject({ status: 400 })
    expect(await request("POST", "/pipelines/notes/query", { query: "lemon", top_k: 1 })).toMatchObject({
      status: 200,
      body: { results: [{ text: "Lemon tea", title: "a", source: "a", position: 0 }] },
    })
    expect(await request("POST", "/pipelines/notes/query", { query: "tea", filter: { sourcePrefix: "b" } })).toMatchObject({
      status: 200,
      body: { results: [] },
    })
    for (const body of [{}, { query: "" }, { query: "x", top_k: 0 }, { query: "x", filter: { other: 1 } }, { query: 1 }])
      expect([body, (await request("POST", "/pipelines/notes/query", body)).status]).toEqual([body, 400])
    expect(await request("PATCH", "/pipelines/notes", { name: "My notes" })).toMatchObject({ status: 200, body: { name: "My notes" } })
    expect(await request("GET", "/pipelines/notes/documents?limit=1")).toMatchObject({ body: { items: [{ source: "a" }] } })
    expect((await request("DELETE", "/pipelines/notes")).status).toBe(204)
    expect((await request("POST", "/pipelines/notes/query", { query: "tea" })).status).toBe(404)
    expect((await request("GET", "/pipelines/notes")).status).toBe(404)
    const { items } = await product.client.audit.list({ limit: 100 })
    const actions = items.map(({ action }) => action)
    for (const action of ["pipeline.create", "pipeline.document.add", "pipeline.update", "pipeline.remove"])
      expect(actions).toContain(action)
    expect(items).toContainEqual(expect.objectContaining({ action: "call", subject: "builtin.retrieval_pipeline" }))
  })

  test("whoever may call the tool may ask, and nobody else", async () => {
    const { token } = await product.client.tokens.create({ name: "reader", kind: "agent" })
    const narrow = await product.client.tokens.create({ name: "narrow", kind: "agent", patterns: ["builtin.datetime_utils"] })
    const asked = (as: string) => product.request("POST", "/pipelines/handbook/query", { query: "holiday" }, as)
    expect(await asked(token)).toMatchObject({ status: 200, body: { results: [{ source: "holidays.md" }] } })
    expect((await product.request("GET", "/pipelines", undefined, token)).status).toBe(200)
    expect((await asked(narrow.token)).status).toBe(403)
    expect((await product.request("GET", "/pipelines/handbook", undefined, narrow.token)).status).toBe(403)
    for (const as of [token, narrow.token]) {
      expect((await product.request("POST", "/pipelines", { name: "Mine" }, as)).status).toBe(403)
      expect((await product.request("POST", "/pipelines/handbook/documents", { text: "x" }, as)).status).toBe(403)
      expect((await product.request("GET", "/pipelines/handbook/documents", undefined, as)).status).toBe(403)
    }
    const { id } = await product.client.policies.create({ owner: "org", pattern: "builtin.retrieval_pipeline", action: "block" })
    expect((await asked(product.token)).status).toBe(403)
    await product.client.policies.remove(id)
  })
})

describe("as tools", () => {
  const run = async (code: string): Promise<unknown> => {
    const reply = await product.client.run(`return await ${code}`)
    return reply.structured
  }
  const tool = { description: "Asks the handbook", schema: { input: { type: "object" } }, implementationType: "rag_retrieval" }
  const results = { results: [expect.objectContaining({ source: "holidays.md" })] }

  test("builtin.retrieval_pipeline asks a pipeline by id or slug", async () => {
    const { id } = await product.client.pipelines.get("handbook")
    for (const ref of [id, "handbook"])
      expect(await run(`tools.builtin.retrieval_pipeline({ pipeline_id: "${ref}", query: "thirty days" })`)).toMatchObject({
        result: { ok: true, data: results },
      })
    expect(await run(`tools.builtin.retrieval_pipeline({ pipeline_id: "none", query: "x" })`)).toMatchObject({
      result: { ok: false, error: { code: "not_found" } },
    })
  })

  test("rag_retrieval requires implementation.pipeline_id and validates tenant ownership at create", async () => {
    for (const implementationConfig of [{}, { pipeline_id: "pipe_of_another" }])
      await expect(product.client.registry.create({ ...tool, name: "Asks", implementationConfig })).rejects.toMatchObject({
        code: "invalid_request",
      })
  })

  test("rag_retrieval schemas are normalized so that query is present and required, and the tool runs", async () => {
    const implementationConfig = { pipeline_id: "handbook", top_k: 1 }
    const made = await product.client.registry.create({ ...tool, name: "Ask handbook", implementationConfig })
    expect(made.schema.input).toMatchObject({ properties: { query: { type: "string" } }, required: ["query"] })
    await product.client.registry.publish(made.id)
    expect(await run(`tools.registry.ask_handbook({ query: "thirty days" })`)).toMatchObject({ result: { ok: true, data: results } })
    for (const alias of ["q", "text", "input", "question", "search"])
      expect(await run(`tools.registry.ask_handbook({ ${alias}: "thirty days" })`)).toMatchObject({ result: { ok: true, data: results } })
    expect(await run(`tools.registry.ask_handbook({})`)).toMatchObject({ result: { ok: false, error: { code: "invalid_arguments" } } })
    expect(await product.client.execute("registry.ask_handbook", { question: "thirty days" })).toMatchObject({ ok: true, data: results })
  })

  test("publish validates tenant ownership of the pipeline again, and so does a run", async () => {
    await product.client.pipelines.create({ name: "Short lived" })
    const implementationConfig = { pipeline_id: "short_lived" }
    const draft = await product.client.registry.create({ ...tool, name: "Draft asks", implementationConfig })
    const live = await product.client.registry.create({ ...tool, name: "Live asks", implementationConfig })
    await product.client.registry.publish(live.id)
    await product.client.pipelines.remove("short_lived")
    await expect(product.client.registry.publish(draft.id)).rejects.toThrow("no retrieval pipeline 'short_lived'")
    expect(await run(`tools.registry.live_asks({ query: "x" })`)).toMatchObject({ result: { ok: false, error: { code: "not_found" } } })
  })
})

describe("with an embedding endpoint", () => {
  const embedding = { provider: "local", model: "embed", dimensions: 32 }

  test("an answer joins both rankings, and says when the endpoint failed", async () => {
    const { pipelines } = product.client
    await pipelines.create({ name: "Vectors", embedding })
    await pipelines.documents.add("vectors", { source: "a", text: "Ginger tea with lemon" })
    await ready(product.client, "vectors")
    const whole = await pipelines.query("vectors", { query: "ginger" })
    expect(whole).toMatchObject({ results: [{ source: "a" }] })
    expect(whole.degraded).toBeUndefined()
    isDown = true
    const before = model.embeddings.length
    try {
      expect(await pipelines.query("vectors", { query: "ginger" })).toMatchObject({
        results: [{ source: "a" }],
        degraded: "embeddings_unavailable",
      })
      // Nobody waits for another attempt.
      expect(model.embeddings.length - before).toBe(1)
    } finally {
      isDown = false
    }
    await expect(pipelines.create({ name: "X", embedding: { ...embedding, provider: "none" } })).rejects.toThrow("no model provider 'none'")
  })

  test("that never answers keeps its own tenant waiting, and no other", async () => {
    const hanging = await startModelServer([], { failEmbedding: () => ({ fail: "hang" }) })
    try {
      await product.client.models.providers.create({ id: "hanging", kind: "openai_compatible", baseUrl: hanging.baseUrl })
      await product.client.pipelines.create({ name: "Slow", embedding: { ...embedding, provider: "hanging" } })
      await product.client.pipelines.documents.add("slow", { text: "Ginger tea" })
      await expect.poll(() => hanging.embeddings.length).toBe(1)
      const { token } = await product.client.tenants.create({ id: "beside" })
      const asOther = async (method: string, path: string, body?: unknown) => (await product.request(method, path, body, token)).body
      await asOther("POST", "/pipelines", { name: "Quick" })
      await asOther("POST", "/pipelines/quick/documents", { text: "Lemon tea with honey" })
      await asOther("PATCH", "/pipelines/quick", { chunking: { tokens: 30 } })
      await expect.poll(() => asOther("GET", "/pipelines/quick")).toMatchObject({ index: { status: "ready" }, chunking: { tokens: 30 } })
      expect(await product.client.pipelines.get("slow")).toMatchObject({ index: { status: "indexing", vectorsLeft: 1 } })
      await product.client.pipelines.remove("slow")
    } finally {
      await hanging.close()
    }
  })

  const paragraphs = (count: number, word: string): string =>
    Array.from({ length: count }, (_, number) => `${word}${number} `.repeat(10).trim()).join("\n\n")

  const databases = ["sqlite", "postgresql"] as const

  test.each(databases)(
    "a server on %s that is killed goes on where it was: nothing that is stored is asked for again",
    async (database) => {
      let victim: Product | null = null
      const asked: string[][] = []
      const server = await startModelServer([], {
        dimensions: 16,
        failEmbedding: ({ inputs }) => {
          asked.push([...inputs])
          if (asked.length !== 2) return undefined
          void victim?.kill("SIGKILL")
          return { fail: "status", status: 500, message: "too late" }
        },
      })
      const dataDir = mkdtempSync(join(tmpdir(), "executor-pipelines-"))
      const env = { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 3000 }), ...(await databaseEnv(database)) }
      try {
        victim = await startProduct({ dataDir, env })
        const { models, pipelines } = victim.client
        await models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: server.baseUrl })
        await pipelines.create({ name: "Long", chunking: { tokens: 20, overlap: 0 }, embedding: { ...embedding, dimensions: 16 } })
        // The server may be gone before it answers.
        await pipelines.documents.add("long", { source: "long", text: paragraphs(150, "word") }).catch(() => {})
        await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2)
        await victim.kill("SIGKILL")
        const again = await startProduct({ dataDir, env })
        try {
          await ready(again.client, "long")
          const { chunks } = await again.client.pipelines.get("long")
          const [first = [], , ...rest] = asked
          expect(new Set([...first, ...rest.flat()]).size).toBe(chunks)
          expect(rest.flat().filter((text) => first.includes(text))).toEqual([])
          expect(await again.client.pipelines.query("long", { query: "word149", topK: 1 })).toMatchObject({ results: [{ source: "long" }] })
        } finally {
          await again.kill("SIGTERM")
        }
      } finally {
        await server.close()
        rmSync(dataDir, { recursive: true, force: true })
      }
    },
  )

  test.each(databases)("two servers on one %s database index nothing twice", async (database) => {
    const env = await databaseEnv(database)
    const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-pipelines-")))
    const nodes = [await startProduct({ dataDir: dataDirs[0] ?? "", env })]
    try {
      nodes.push(await startProduct({ dataDir: dataDirs[database === "sqlite" ? 0 : 1] ?? "", env }))
      const clients = nodes.map(({ client }) => client)
      await clients[0]?.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
      await clients[0]?.pipelines.create({ name: "Shared", embedding })
      const before = model.embeddings.length
      for (let number = 0; number < 20; number += 1)
        await clients[number % 2]?.pipelines.documents.add("shared", { source: `${number}`, text: `shared text number${number}` })
      for (const client of clients) await ready(client, "shared")
      const inputs = model.embeddings.slice(before).flatMap((request) => request.inputs)
      expect(inputs).toHaveLength(20)
      expect(new Set(inputs).size).toBe(20)
      for (const client of clients)
        expect(await client.pipelines.query("shared", { query: "number7", topK: 1 })).toMatchObject({ results: [{ source: "7" }] })
    } finally {
      await Promise.all(nodes.map((node) => node.kill("SIGTERM")))
      for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

describe("on the command line", () => {
  test("folders are added with what has changed, asked, shown and removed", async () => {
    const cli = openCli(product.dataDir)
    const cwd = mkdtempSync(join(tmpdir(), "executor-docs-"))
    try {
      mkdirSync(join(cwd, "docs", ".hidden"), { recursive: true })
      mkdirSync(join(cwd, "docs", "guide"))
      writeFileSync(join(cwd, "docs", "guide", "tea.md"), "# Tea\n\nSteep ginger for ten minutes.")
      writeFileSync(join(cwd, "docs", "page.html"), "<title>Coffee</title><p>Grind beans finely.</p>")
      writeFileSync(join(cwd, "docs", ".hidden", "x.md"), "hidden")
      writeFileSync(join(cwd, "docs", "image.png"), new Uint8Array([0x89, 0x50, 0, 0xff]))
      expect(await cli.json(["pipelines", "create", "Drinks"])).toMatchObject({ slug: "drinks" })
      expect(await cli.json(["pipelines", "add", "drinks", "docs/"], { cwd })).toMatchObject({ created: 2, updated: 0, failed: [] })
      writeFileSync(join(cwd, "docs", "guide", "tea.md"), "# Tea\n\nSteep ginger for five minutes.")
      const again = await cli.run(["pipelines", "add", "drinks", "docs", "docs/image.png"], { cwd })
      expect(again.stdout).toContain("Added 0, updated 1, unchanged 1: drinks has 2 documents")
      expect(again.stderr).toContain("docs/image.png: it is not text in UTF-8")
      expect(again.code).toBe(1)
      expect(await cli.json(["pipelines", "query", "drinks", "how", "long", "does", "ginger", "steep"])).toMatchObject({
        results: [{ source: "docs/guide/tea.md", title: "Tea" }],
      })
      const text = await cli.run(["pipelines", "query", "drinks", "beans", "--source", "docs/"])
      expect(text.stdout).toMatch(/Coffee.*docs\/page\.html #0\n {2}Grind beans finely\./s)
      expect((await cli.run(["pipelines", "query", "drinks", "nothing"])).stderr).toContain("Nothing fits")
      expect((await cli.run(["pipelines", "show", "drinks"])).stdout).toMatch(/2, in 2 chunks of up to 400 tokens.*docs\/guide\/tea\.md/s)
      expect((await cli.run(["pipelines", "list"])).stdout).toContain("drinks")
      expect((await cli.run(["pipelines", "edit", "drinks", "--tokens", "100"])).stdout).toContain("Changed drinks")
      expect((await cli.run(["pipelines", "edit", "drinks", "--model", "m"])).stderr).toContain("Vectors need all of")
      expect((await cli.run(["pipelines", "edit", "drinks"])).code).toBe(2)
      expect((await cli.run(["pipelines", "remove", "drinks", "docs/page.html", "--yes"])).stdout).toContain("Removed 1 document of drinks")
      expect((await cli.run(["pipelines", "remove", "drinks", "nowhere", "--yes"])).code).toBe(4)
      expect((await cli.run(["pipelines", "add", "drinks", "nowhere"], { cwd })).stderr).toContain("There is no file or folder 'nowhere'")
      // A path alone is for the only pipeline.
      expect((await cli.run(["pipelines", "add", "docs/"], { cwd })).stderr).toMatch(/Name the pipeline.*drinks, handbook/)
      const { token } = await product.client.tenants.create({ id: "shelf" })
      const env = { EXECUTOR_TOKEN: token }
      expect((await cli.run(["pipelines", "add", "docs/"], { cwd, env })).stderr).toContain("pipelines create <name>")
      await cli.run(["pipelines", "create", "Books"], { env })
      expect((await cli.run(["pipelines", "add", "docs/"], { cwd, env })).stdout).toContain("Added 2, updated 0, unchanged 0: books")
      const unsure = await cli.run(["pipelines", "remove", "drinks"])
      expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining("Remove drinks and its 1 document? Tools that ask it fail")])
      expect((await cli.run(["pipelines", "remove", "drinks", "--yes"])).stdout).toContain("Removed drinks")
      const gone = await cli.run(["pipelines", "query", "drinks", "x"])
      expect(gone.code).toBe(4)
    } finally {
      rmSync(cwd, { recursive: true, force: true })
    }
  })
})
