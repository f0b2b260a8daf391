// GitHub's document through the HTTP API, with curl alone, as the first user would do it.
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const document = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")
const run = promisify(execFile)
let product: Product
let source: Listening

beforeAll(async () => {
  product = await startProduct()
  source = await listen(
    createServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end(readFileSync(document))),
  )
})
afterAll(async () => {
  await product.stop()
  await source.close()
})

async function curl(path: string, json?: unknown): Promise<Record<string, unknown>> {
  const body = json === undefined ? [] : ["--json", JSON.stringify(json)]
  const { stdout } = await run("curl", ["-s", "-H", `Authorization: Bearer ${product.token}`, `${product.url}/api${path}`, ...body], {
    maxBuffer: 64 << 20,
  })
  return JSON.parse(stdout) as Record<string, unknown>
}

test("add, connect, list 1,200 tools, read a schema", async () => {
  const added = await curl("/integrations", { slug: "github", kind: "openapi", config: { spec: `${source.url}/api.github.com.json` } })
  expect(added).toMatchObject({ slug: "github", kind: "openapi", facts: { origins: expect.arrayContaining(["https://api.github.com"]) } })

  expect(await curl("/connections", { integration: "github", auth: { template: "none" } })).toMatchObject({
    status: "ready",
    address: "tools.github.org.main",
  })

  const { items, nextCursor } = (await curl("/tools?integration=github")) as {
    items: { address: string; policy: string }[]
    nextCursor: null
  }
  expect(items.length).toBeGreaterThan(1200)
  expect(nextCursor).toBeNull()
  expect(items.find((tool) => tool.address === "tools.github.org.main.issues.create")).toMatchObject({
    policy: "require_approval",
    title: "Create an Issue",
    description: expect.stringMatching(/^Create an issue\n/),
    static: false,
    pluginId: "openapi",
  })
  expect(items.find((tool) => tool.address === "tools.github.org.main.repos.get")?.policy).toBe("allow")
  expect(items.some((tool) => tool.address === "tools.github.org.main.repos.createForAuthenticatedUser")).toBe(true)

  const schema = await curl("/tools/schema?address=tools.github.org.main.issues.create")
  expect(schema).toMatchObject({
    inputSchema: { type: "object", required: ["owner", "repo", "title"] },
    outputSchema: { $ref: "#/$defs/issue" },
  })
  expect(schema["inputTypeScript"]).toContain("owner: string")
  expect(Object.keys(schema["schemaDefinitions"] as object)).toContain("issue")

  expect(await curl("/tools/schema?address=tools.github.org.main.issues.nope")).toMatchObject({ error: { code: "tool_not_found" } })
})

test("pages through the catalog without losing or repeating a tool", async () => {
  const seen: string[] = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = (await curl(`/tools?limit=250${cursor === "" ? "" : `&cursor=${cursor}`}`)) as {
      items: { address: string }[]
      nextCursor: string | null
    }
    seen.push(...page.items.map((tool) => tool.address))
    cursor = page.nextCursor
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.length).toBeGreaterThan(1200)
})

test("a second connection shares the tools, and a short path is then ambiguous for nobody but callers", async () => {
  expect(await curl("/connections", { integration: "github", name: "second" })).toMatchObject({ status: "ready" })
  const { items } = (await curl("/tools?integration=github&connection=second&query=create%20an%20issue")) as {
    items: { address: string }[]
  }
  expect(items.map((tool) => tool.address)).toContain("tools.github.org.second.issues.create")
})

test("it survives kill -9 and a restart", async () => {
  await product.kill("SIGKILL")
  const { dataDir } = product
  product = await startProduct({ dataDir })
  const { items } = (await curl("/tools?integration=github&connection=main")) as { items: unknown[] }
  expect(items.length).toBeGreaterThan(1200)
})
