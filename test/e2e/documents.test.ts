// Documents that give nothing, or are too large, say so to whoever adds them; and what an integration is called by itself.
import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const folder = mkdtempSync(join(tmpdir(), "executor-e2e-documents-"))
const document = (more: object): string =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "GitHub's official OpenAPI spec", version: "1" }, ...more })
const servers = [{ url: "https://api.github.com" }]
const paths = { "/zen": { get: { operationId: "meta/get-zen", responses: {} } } }
const large = document({ servers, paths, info: { title: "Large", version: "1", description: "x".repeat(300_000) } })

let upstream: Listening
let product: Product
let cli: Cli

beforeAll(async () => {
  upstream = await listen(createServer((_request, response) => response.setHeader("content-type", "application/json").end(large)))
  product = await startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify({ documentBytesMax: 200_000 }) } })
  cli = openCli(product.dataDir)
})
afterAll(async () => {
  await product.stop()
  await upstream.close()
})

test.each([
  ["empty", { servers, paths: {} }, {}, "The document describes no operations, so it has no tools"],
  [
    "unselected",
    { servers, paths },
    { include: ["repos.*"] },
    "include and exclude leave none of the document's 1 operations, so there are no tools",
  ],
  ["serverless", { paths }, {}, "The document names no server, so its tools cannot be called: set baseUrl in the config"],
])("a document that is %s is added with a warning", async (slug, more, config, message) => {
  const spec = document(more)
  const expected = { warnings: expect.arrayContaining([expect.objectContaining({ message })]) }
  const integration = { kind: "openapi", config: { spec, ...config } }
  expect(await product.client.integrations.preview(integration)).toMatchObject({ facts: expected })
  expect(await product.client.integrations.add({ slug, ...integration })).toMatchObject({ facts: expected })
  const connection = await product.client.connections.create({ integration: slug })
  expect(connection.warnings).toContain(message)
  const file = join(folder, `${slug}.json`)
  writeFileSync(file, spec)
  const include = "include" in config ? ["--include", config.include.join(",")] : []
  expect((await cli.run(["integrations", "add", file, "--slug", `${slug}_again`, ...include])).stderr).toContain(message)
})

test("an integration is called by the host of its API", async () => {
  const file = join(folder, "openapi.json")
  writeFileSync(file, document({ servers, paths }))
  const added = await cli.run(["integrations", "add", file, "--no-connect", "--json"])
  expect(JSON.parse(added.stdout)).toMatchObject({ slug: "github" })
})

test("a document over the limit is refused with how to raise it, and then taken", async () => {
  const hint = /over 200000 bytes\. .*EXECUTOR_LIMITS='\{"documentBytesMax":67108864\}'/
  const config = { spec: `${upstream.url}/openapi.json` }
  await expect(product.client.integrations.add({ slug: "large", kind: "openapi", config })).rejects.toThrow(hint)
  await expect(product.client.integrations.add({ slug: "large", kind: "openapi", config: { spec: large } })).rejects.toThrow(hint)
  await expect(product.client.integrations.detect(config.spec)).rejects.toThrow(hint)
  const { dataDir } = product
  await product.kill("SIGTERM")
  product = await startProduct({ dataDir, env: { EXECUTOR_LIMITS: JSON.stringify({ documentBytesMax: 400_000 }) } })
  expect(await product.client.integrations.detect(config.spec)).toMatchObject({ slug: "github" })
  expect(await product.client.integrations.add({ slug: "large", kind: "openapi", config })).toMatchObject({ facts: { toolCount: 1 } })
})
