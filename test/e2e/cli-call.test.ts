// `executor call` with values that are not written as arguments, and with files.
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const document = (url: string) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url }],
  paths: {
    "/orders/{id}": {
      get: {
        operationId: "orders/get",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        responses: { 200: { description: "It" } },
      },
    },
    "/images": {
      post: {
        operationId: "images/upload",
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: { type: "object", properties: { image: { type: "string", format: "binary" }, title: { type: "string" } } },
            },
          },
        },
        responses: { 200: { description: "Taken" } },
      },
    },
  },
})

let upstream: Awaited<ReturnType<typeof listen>>
let product: Product
let cli: Cli
const bodies: Buffer[] = []

beforeAll(async () => {
  upstream = await listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array)) // a request gives bytes while no encoding is set
      bodies.push(Buffer.concat(chunks))
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    }),
  )
  product = await startProduct()
  cli = openCli(product.dataDir)
  await product.client.integrations.add({ slug: "shop", kind: "openapi", config: { spec: document(upstream.url) } })
  await product.client.connections.create({ integration: "shop", auth: { template: "none" } })
})
afterAll(async () => {
  await product.stop()
  await upstream.close()
})

test.each([
  [["call", "shop.orders.get", "5"], "'5'"],
  [["call", "shop.orders.get", "tea"], "'tea'"],
  [["call", "tools.shop.org.main.orders.get", "tea", "milk"], "'tea'"],
])("%j is told how arguments are written", async (args, word) => {
  const run = await cli.run(args)
  expect(run).toMatchObject({ code: 2, stdout: "" })
  expect(run.stderr).toContain(`${word} is not part of a path. Write arguments as key=value, or a JSON object`)
  expect(bodies).toEqual([])
})

test("a path in words is a path, and one that is wrong is not found", async () => {
  expect((await cli.run(["call", "shop.orders", "get", "id=5"])).code).toBe(0)
  expect(await cli.run(["call", "shop.orders", "gett"])).toMatchObject({ code: 4, stderr: expect.stringContaining("shop.orders.gett") })
})

test("a file is sent as the bytes it has", async () => {
  const path = join(product.dataDir, "photo.png")
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00])
  writeFileSync(path, bytes)
  expect((await cli.run(["call", "shop.images.upload", `image=@${path}`, "title=@@ada", "--yes"])).code).toBe(0)
  const sent = bodies.at(-1) ?? Buffer.alloc(0)
  expect(sent.includes(bytes)).toBe(true)
  expect(sent.toString("latin1")).toContain('name="image"; filename="photo.png"\r\ncontent-type: image/png')
  expect(sent.toString("latin1")).toContain("\r\n\r\n@ada\r\n")
})

test("one that is too large for a call is refused before anything is sent", async () => {
  const path = join(product.dataDir, "large.bin")
  writeFileSync(path, Buffer.alloc(1_000_000))
  const before = bodies.length
  const run = await cli.run(["call", "shop.images.upload", `image=@${path}`, "--yes"])
  expect(run).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("The arguments are too large for one call") })
  expect(bodies).toHaveLength(before)
})
