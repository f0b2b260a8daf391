// Attacks on the registry from the outside, on PostgreSQL with two nodes: races, functions that misbehave, MCP servers that never end.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { makeTool } from "./registry-maker.ts"

const modules = join(import.meta.dirname, "..", "..", "src", "registry", "functions", "define.ts")
const functions = `import { defineFunctions } from ${JSON.stringify(modules)}
const cycle = {}
cycle.self = cycle
export default {
  functions: defineFunctions(import.meta.url, {
    quits: { reads: true, run: () => process.exit(7) },
    cycle: { reads: true, run: () => cycle },
    hostile: { reads: true, run: () => ({ toJSON() { throw new Error("planted " + "in toJSON") } }) },
    nothing: { reads: true, run: () => undefined },
    throwsNull: { reads: true, run: () => { throw null } },
    pollutes: { reads: true, run: (args) => { Object.prototype.polluted = "yes"; return Object.keys(args) } },
    asyncThrows: { reads: true, run: async () => { throw new Error("later") } },
    neverEnds: { reads: true, run: async () => new Promise(() => {}) },
    echo: { reads: true, run: (args) => args },
  }),
}
`

let dir: string
const nodes: Product[] = []
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "executor-attack-"))
  const configPath = join(dir, "executor.config.ts")
  writeFileSync(configPath, functions)
  const env = {
    EXECUTOR_DATABASE_URL: await (await sharedPostgres()).createDatabase(),
    EXECUTOR_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    EXECUTOR_CONFIG: configPath,
  }
  nodes.push(await startProduct({ env }))
  nodes.push(await startProduct({ env }))
})
afterAll(async () => {
  for (const node of nodes) await node.stop()
  rmSync(dir, { recursive: true, force: true })
})
const node = (at: number): Product => nodes[at % 2] as Product
const custom = (code: string) => ({ implementationType: "custom", implementationConfig: { code } })

describe("at the same time on two nodes", () => {
  test("edits, publishes, versions and rollbacks leave whole versions, and production runs the one that is named", async () => {
    const id = await makeTool(node(0).client, "raced", custom("return 0"))
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) => {
        const { registry } = node(at).client
        if (at % 4 === 0) return registry.update(id, { implementationConfig: { code: `return ${at}` } })
        if (at % 4 === 1) return registry.publish(id)
        if (at % 4 === 2) return registry.rollback(id, "1.0.0")
        return registry.version(id, `1.${at}.0`)
      }),
    )
    for (const one of settled) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "conflict" })
    const tool = await node(1).client.registry.get(id)
    const { items } = await node(0).client.registry.versions(id, { limit: 100 })
    const numbers = items.map(({ version }) => version)
    expect(new Set(numbers).size).toBe(numbers.length)
    const [published, ...others] = items.filter(({ isPublished }) => isPublished)
    expect([published?.version, others]).toEqual([tool.publishedVersion, []])
    const code = String(published?.schemaSnapshot.configSchema.implementation["code"])
    for (const at of [0, 1]) expect(await node(at).client.execute("registry.raced", {})).toEqual({ ok: true, data: Number(code.slice(7)) })
  })

  test("an artifact is not removed under a tool that is just made of it, nor made of one that is gone", async () => {
    for (let round = 0; round < 8; round += 1) {
      const artifact = await node(0).client.artifacts.create({ name: `Race ${round}`, code: "return 1" })
      const tool = { name: `Of ${round}`, description: "x", implementationType: "artifact", artifactId: artifact.id }
      const [made, removed] = await Promise.allSettled([node(0).client.registry.create(tool), node(1).client.artifacts.remove(artifact.id)])
      // One of them wins.
      expect([made.status, removed.status].toSorted()).toEqual(["fulfilled", "rejected"])
      if (made.status === "fulfilled") expect(await node(1).client.registry.publish(made.value.id)).toMatchObject({ status: "published" })
    }
  })

  test("of two imports of one file each tool and artifact is there once", async () => {
    const file = await node(0).client.registry.export()
    const tools = file.tools.map((tool) => ({ ...tool, slug: `twice_${String(tool["slug"])}`, artifact_slug: tool["artifact_slug"] }))
    const brought = await Promise.all([0, 1].map((at) => node(at).client.registry.import({ tools, artifacts: file.artifacts })))
    const created = brought.flatMap((one) => one.created)
    expect(new Set(created).size).toBe(created.length)
    expect(created.length).toBe(tools.length)
  })
})

describe("a file that lies", () => {
  test.each([
    [
      "the same version twice",
      {
        slug: "lie_a",
        name: "A",
        versions: [
          { version: "1", code: "return 1" },
          { version: "1", code: "return 2" },
        ],
      },
    ],
    ["no versions", { slug: "lie_b", name: "B", versions: [] }],
    ["a slug of a prototype", { slug: "__proto__", name: "C", versions: [{ version: "1", code: "return 1" }] }],
    ["inputs that are none", { slug: "lie_d", name: "D", versions: [{ version: "1", inputs: { a: 1 }, code: "return 1" }] }],
    ["no object", "lie_e"],
  ])("about an artifact with %s is told so, and brings nothing of it", async (_name, artifact) => {
    const result = await node(0).client.registry.import({ tools: [], artifacts: [artifact] })
    expect(result).toMatchObject({ artifacts: [], warnings: [expect.stringContaining("artifacts.0 was skipped:")] })
    const { items } = await node(0).client.artifacts.list()
    expect(items.filter(({ slug }) => slug.startsWith("lie_"))).toEqual([])
  })
})

describe("a function that", () => {
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const slug = `f_${name.toLowerCase()}`
    await makeTool(node(0).client, slug, {
      implementationType: "function",
      implementationConfig: { function_name: name },
      executionConfig: { timeout_s: 5 },
    }).catch(() => "")
    return node(0).client.execute(`registry.${slug}`, args)
  }
  test.each([
    ["quits its process", "quits", "upstream_error"],
    ["returns a circle", "cycle", "upstream_error"],
    ["fails while it is written as JSON", "hostile", "upstream_error"],
    ["throws nothing", "throwsNull", "upstream_error"],
    ["throws later", "asyncThrows", "upstream_error"],
    ["never ends", "neverEnds", "timeout"],
  ])("%s fails alone", async (_what, name, code) => {
    expect(await call(name)).toMatchObject({ ok: false, error: { code } })
    expect(await call("echo", { a: 1 })).toEqual({ ok: true, data: { a: 1 } })
  })
  test("returns nothing answers null", async () => {
    expect(await call("nothing")).toEqual({ ok: true, data: null })
  })
  test("changes the prototype of all objects changes nothing in the server", async () => {
    expect(await call("pollutes", JSON.parse('{"__proto__":{"x":1},"constructor":1}') as Record<string, unknown>)).toMatchObject({
      ok: true,
    })
    expect((await node(0).client.run("return ({}).polluted ?? null")).structured).toMatchObject({ result: null })
    expect((await node(0).request("GET", "/registry?limit=1")).status).toBe(200)
  })
  test.each(["__proto__", "constructor", "toString", ""])("is called '%s' is not registered", async (name) => {
    const body = {
      name: "X",
      description: "x",
      schema: { input: { type: "object" } },
      implementationType: "function",
      implementationConfig: { function_name: name },
    }
    expect((await node(0).request("POST", "/tools", body)).status).toBe(400)
  })
})

describe("an MCP server that", () => {
  const serve = async (answer: (id: unknown, method: string) => unknown): Promise<{ readonly url: string; asked: () => number }> => {
    let asked = 0
    const server = await listen(
      createServer((request, response) => {
        let text = ""
        request.on("data", (chunk: Buffer) => (text += chunk.toString()))
        request.on("end", () => {
          asked += 1
          const { id, method } = JSON.parse(text || "{}") as { id?: unknown; method: string }
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ jsonrpc: "2.0", id, ...(answer(id, method) as object) }))
        })
      }),
    )
    onTestFinished(() => server.close())
    return { url: `${server.url}/mcp`, asked: () => asked }
  }
  const publish = (slug: string, url: string) =>
    makeTool(node(0).client, slug, {
      implementationType: "mcp",
      implementationConfig: { server_url: url, tool_name: "x", headers: { authorization: "Bearer planted-attack-1" } },
    })

  test("lists pages without end is left after some of them", async () => {
    const server = await serve(() => ({ result: { tools: [{ name: "y" }], nextCursor: "again" } }))
    await publish("endless_pages", server.url)
    expect(server.asked()).toBeLessThanOrEqual(20)
  })
  test("has a tool of that name twice, or a hint that is no truth value, decides nothing", async () => {
    const server = await serve(() => ({
      result: {
        tools: [
          { name: "x", annotations: { readOnlyHint: "true" } },
          { name: "x", annotations: { readOnlyHint: true } },
        ],
      },
    }))
    await publish("two_faced", server.url)
    expect((await node(0).client.run("return await tools.registry.two_faced({})")).status).toBe("paused")
  })
  test("repeats the key in all it says tells it to nobody", async () => {
    const server = await serve((_id, method) =>
      method === "tools/list"
        ? { error: { code: -32000, message: "bad planted-attack-1" } }
        : { error: { code: -32000, message: "bad planted-attack-1", data: "planted-attack-1" } },
    )
    await publish("leaky_mcp", server.url)
    await node(0).client.policies.create({ owner: "org", pattern: "registry.org.main.leaky_mcp", action: "allow" })
    const reply = await node(0).client.run("return await tools.registry.leaky_mcp({})")
    expect(reply.structured).toMatchObject({ result: { ok: false } })
    const { body } = await node(0).request("GET", `/executions/${reply.executionId}`)
    expect(JSON.stringify([reply, body, node(0).output()])).not.toContain("planted-attack-1")
  })
})
