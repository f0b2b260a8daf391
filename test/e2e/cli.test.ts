// The workflow of the command line, typed as the documents show it: with a running server, and without one.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startOrdersApi } from "../../examples/openapi-quickstart/orders-api.ts"
import type { OrdersApi } from "../../examples/openapi-quickstart/orders-api.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

type Case = { readonly name: string; open(): Promise<{ cli: Cli; dataDir: string; close(): Promise<void> }> }

const cases: readonly Case[] = [
  {
    name: "with a running server",
    async open() {
      const product: Product = await startProduct()
      return { cli: openCli(product.dataDir), dataDir: product.dataDir, close: () => product.stop() }
    },
  },
  {
    name: "without a server",
    async open() {
      const dataDir = mkdtempSync(join(tmpdir(), "executor-cli-"))
      return { cli: openCli(dataDir), dataDir, close: async () => rmSync(dataDir, { recursive: true, force: true }) }
    },
  },
]

describe.each(cases)("the end-to-end workflow $name", ({ name, open }) => {
  let opened: Awaited<ReturnType<Case["open"]>>
  let cli: Cli
  let api: OrdersApi
  const isServed = name === "with a running server"

  beforeAll(async () => {
    api = await startOrdersApi("demo")
    opened = await open()
    cli = opened.cli
  })
  afterAll(async () => {
    await opened.close()
    await api.close()
  })

  test("an integration and a connection are added", async () => {
    const added = await cli.type(`executor integrations add ${api.url}/openapi.json`)
    expect(added).toMatchObject({ code: 0, stdout: "Added orders (openapi): 2 tools\n" })
    expect(added.stderr).toContain("executor connections add orders --auth bearer")
    const connected = await cli.type("echo demo | executor connections add orders --auth bearer --secret-stdin")
    expect(connected).toMatchObject({ code: 0, stdout: "Connected orders.org.main: 2 tools\n" })
    expect(existsSync(join(opened.dataDir, "server.json"))).toBe(isServed)
  })

  test("the catalog is verified, and a schema inspected", async () => {
    const sources = await cli.type("executor tools sources")
    expect(sources).toMatchObject({ code: 0, stderr: expect.not.stringContaining("executor:") })
    expect(sources.stdout).toMatch(/^orders +openapi +2 +orders\.org\.main/m)
    const found = await cli.type(`executor tools search "make an order" --namespace orders --limit 12`)
    expect(found.stdout.split("\n")[1]).toMatch(/^orders\.org\.main\.orders\.create +asks +Create an order/)
    const described = await cli.type("executor tools describe orders.org.main.orders.create")
    expect(described.code).toBe(0)
    for (const part of ["requires approval", "item: string", "type Order =", "executor call orders.org.main.orders.create"])
      expect(described.stdout).toContain(part)
  })

  test("a prefix is browsed down to a tool", async () => {
    const browsed = await cli.type("executor call --help orders")
    expect(browsed.code).toBe(0)
    expect(browsed.stdout).toMatch(/^orders\.org\.main\.orders\.list +List Orders/m)
    expect((await cli.type("executor call --help orders org main orders list")).stdout).toContain("item?: string")
  })

  test("a read answers at once, dotted or in words", async () => {
    const tea = [{ id: 1, item: "tea", quantity: 2 }]
    const dotted = await cli.type(`executor call orders.org.main.orders.list '{"item":"tea"}'`)
    expect(dotted.code).toBe(0)
    expect(JSON.parse(dotted.stdout)).toEqual(tea)
    expect(JSON.parse((await cli.type("executor call orders org main orders list --arg item=tea")).stdout)).toEqual(tea)
  })

  test("a write pauses with exit code 3, and happens when it is resumed as printed", async () => {
    const paused = await cli.type(`executor call orders.org.main.orders.create '{"item":"coffee","quantity":2}'`)
    expect(paused).toMatchObject({ code: 3, stdout: "" })
    expect(paused.stderr).toContain('orders.org.main.orders.create {"item":"coffee","quantity":2}')
    const command = /(executor resume exe_\w+) --action accept/.exec(paused.stderr)?.[1] ?? "false"
    const asked = await cli.type(command)
    expect(asked).toMatchObject({ code: 2, stdout: "" })
    expect(asked.stderr).toContain("--action accept, decline, cancel")
    const done = await cli.type(`${command} --action accept`)
    expect(done.code).toBe(0)
    expect(JSON.parse(done.stdout)).toEqual({ id: 2, item: "coffee", quantity: 2 })
    expect((await cli.type(`${command} --action decline`)).code).toBe(1)
  })
})

test("without a server, EXECUTOR_TOKEN says as whom", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-cli-"))
  const cli = openCli(dataDir)
  try {
    const made = await cli.run(["tokens", "create", "--agent"])
    const env = { EXECUTOR_TOKEN: made.stdout.trim() }
    expect((await cli.run(["tools", "sources"], { env })).code).toBe(0)
    expect((await cli.run(["tokens", "create", "--human"], { env })).code).toBe(5)
    expect((await cli.run(["tools", "sources"], { env: { EXECUTOR_TOKEN: "exa_unknown" } })).code).toBe(5)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test("a note of a server that is gone is ignored, and so is one of a stranger", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-cli-"))
  const seen: (string | undefined)[] = []
  const { createServer } = await import("node:http")
  const stranger = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve))
  const address = stranger.address()
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/api`
  const cli = openCli(dataDir)
  try {
    writeFileSync(join(dataDir, "token"), "exh_secret\n")
    writeFileSync(join(dataDir, "server.json"), JSON.stringify({ origin, pid: 2 ** 22 + 1 }))
    expect(await cli.json(["policies", "list"])).toEqual({ items: [], nextCursor: null })
    expect(seen).toEqual([])
    writeFileSync(join(dataDir, "server.json"), JSON.stringify({ origin, pid: process.pid }))
    expect(await cli.json(["policies", "list"])).toEqual({ items: [], nextCursor: null })
    expect(seen).toEqual([undefined])
  } finally {
    stranger.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
