// `executor integrations add` with documents from files and stdin, and with servers that cannot be reached.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let cli: Cli

beforeAll(async () => {
  product = await startProduct()
  cli = openCli(product.dataDir)
})
afterAll(() => product.stop())

const file = (name: string, content: string): string => {
  const path = join(product.dataDir, name)
  writeFileSync(path, content)
  return path
}

const yaml = `info:
  title: Shop
  version: "1"
servers:
  - url: http://127.0.0.1:1
components:
  schemas:
    Order:
      type: object
paths:
  /orders:
    get:
      operationId: orders/list
      parameters:
        - name: q
          in: query
          schema:
            type: string
      responses:
        "200":
          description: All.
openapi: 3.1.0
`
const introspection = {
  __schema: {
    queryType: { name: "Query" },
    types: [
      { kind: "OBJECT", name: "Query", interfaces: [], fields: [{ name: "a", args: [], type: { kind: "SCALAR", name: "Int" } }] },
      { kind: "SCALAR", name: "Int" },
    ],
    directives: [],
  },
}

describe("the kind of a document is found", () => {
  test.each([
    ["YAML", "openapi", yaml, []],
    ["a byte order mark", "openapi", `\uFEFF${yaml}`, []],
    ["JSON with a byte order mark", "openapi", `\uFEFF{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}`, []],
    ["SDL", "graphql", '"""An API."""\ntype Query {\n  a: Int\n}\n', ["--endpoint", "http://127.0.0.1:1/graphql"]],
    ["an introspection result", "graphql", JSON.stringify({ data: introspection }), ["--endpoint", "http://127.0.0.1:1/graphql"]],
  ])("%s", async (name, kind, text, options) => {
    const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, "_")
    expect(await cli.json(["integrations", "add", file("document", text), "--slug", slug, "--no-connect", ...options])).toMatchObject({
      kind,
    })
    const piped = await cli.json(["integrations", "add", "-", "--slug", `${slug}_in`, "--no-connect", ...options], { stdin: text })
    expect(piped).toMatchObject({ kind })
  })

  test("a schema without an endpoint is told what is missing", async () => {
    const run = await cli.run(["integrations", "add", file("schema.graphql", "type Query { a: Int }"), "--slug", "lost"])
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("add --endpoint <url>") })
  })
})
