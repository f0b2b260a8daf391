// The commands of README.md and those that the server prints, typed as they stand there.
import { execFile, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startOrdersApi } from "../../examples/openapi-quickstart/orders-api.ts"
import type { OrdersApi } from "../../examples/openapi-quickstart/orders-api.ts"
import { openCli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const root = join(import.meta.dirname, "..", "..")
let product: Product
let api: OrdersApi

beforeAll(async () => {
  product = await startProduct()
  api = await startOrdersApi("demo")
})
afterAll(async () => {
  await product.stop()
  await api.close()
})

/** The ports in the text are the usual ones; the test's are free ones. */
async function type(commands: string): Promise<string> {
  const script = commands.replaceAll("http://127.0.0.1:4788", product.url).replaceAll("http://127.0.0.1:4790", api.url)
  const env = { PATH: process.env["PATH"], HOME: product.dataDir, EXECUTOR_DATA_DIR: product.dataDir }
  const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", script], { env })
  expect(stderr).toBe("")
  return stdout
}

const answers = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .join("\n")
    .split(/(?<=\})\n?(?=\{)/)
    .map((one) => JSON.parse(one) as Record<string, unknown>)

test("what the server prints at its first start works as printed", async () => {
  const printed = product.output()
  expect(printed).toContain(join(product.dataDir, "token"))
  const commands = printed.slice(printed.indexOf("  EXECUTOR_DATA_DIR="), printed.indexOf("Stop it with"))
  const typed = await openCli(product.dataDir).type(
    `set -e\n${commands.replaceAll("npx executor", "executor").replaceAll("http://127.0.0.1:4790", api.url)}`,
  )
  expect(typed).toMatchObject({ code: 0, stdout: expect.stringContaining("Connected orders.org.main: 2 tools\n[") })
})

test("README's first API works as written", async () => {
  await product.client.integrations.remove("orders")
  const readme = readFileSync(join(root, "README.md"), "utf8")
  const commands = readme.slice(readme.indexOf("export EXECUTOR_ORIGIN"), readme.indexOf("```", readme.indexOf("export EXECUTOR_ORIGIN")))
  const [integration, connection, tools, schema] = answers(await type(commands))
  expect(integration).toMatchObject({ slug: "orders" })
  expect(connection).toMatchObject({ status: "ready" })
  expect(JSON.stringify(tools)).toContain("tools.orders.org.main.orders.list")
  expect(schema).toMatchObject({ inputSchema: { required: ["item", "quantity"] } })

  const setUp = commands.slice(0, commands.indexOf("curl"))
  const blocks = readme.slice(readme.indexOf("as an agent would:")).split("```")
  const [read, paused] = answers(await type(`${setUp}\n${blocks[1]?.replace(/^sh/, "")}`))
  expect(read).toMatchObject({ status: "completed", structured: { result: { item: "tea", quantity: 2 } } })
  expect(paused).toMatchObject({ status: "paused" })
  const [accepted] = answers(await type(`${setUp}\n${blocks[3]?.replace(/^sh/, "")}`))
  expect(accepted).toMatchObject({ status: "completed", structured: { result: { ok: true, data: { item: "coffee" } } } })
})

test("the demo API says where it is", async () => {
  const child = spawn(process.execPath, [join(root, "examples/openapi-quickstart/orders-api.ts")], { env: { ...process.env, PORT: "0" } })
  const text = await new Promise<string>((resolve) => child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString())))
  child.kill()
  expect(text).toMatch(/running at http:\/\/127\.0\.0\.1:\d+; its token is "demo"/)
})
