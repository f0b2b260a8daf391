// The registry on the command line, with the CLI alone: a tool from its first draft to the way back, its secrets, artifacts, credentials.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startShopApi } from "../../src/surfaces/cli/demo/shop-api.ts"
import type { ShopApi } from "../../src/surfaces/cli/demo/shop-api.ts"
import { openCli } from "./cli-run.ts"
import type { Cli, CliRun } from "./cli-run.ts"
import { readCommandBlocks, readSnippets } from "./doc-blocks.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const planted = "planted-key-0f9d8e7c6b5a"

let dataDir: string
let shop: ShopApi
let locked: ShopApi
let product: Product
/** The first story needs no server; the others use one. */
let cli: Cli

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "executor-cli-registry-"))
  shop = await startShopApi({ port: 0, token: null })
  locked = await startShopApi({ port: 0, token: planted })
  product = await startProduct({ env: { SHOP_TOKEN: planted } })
  cli = openCli(dataDir)
})
afterAll(async () => {
  await product.stop()
  await shop.close()
  await locked.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const typed = async (words: readonly string[], stdin = ""): Promise<CliRun> => {
  const run = await cli.run(words, { stdin })
  expect([words, run.code, run.stderr]).toEqual([words, 0, expect.any(String)])
  return run
}
const json = (words: readonly string[]): Promise<Record<string, unknown>> => cli.json(words) as Promise<Record<string, unknown>> // every command prints an object

describe("a tool from its first draft to the way back", () => {
  test("create makes a draft, with arguments from the URL and a slug from the name", async () => {
    const made = await typed([
      "registry",
      "create",
      "--name",
      "Show order",
      "--description",
      "Shows an order by its number",
      "--url",
      `${shop.url}/orders/{id}`,
    ])
    expect(made.stdout).toBe("Created show_order (http), a draft\n")
    expect(made.stderr).toContain("registry test show_order id=…")
    expect(made.stderr).toContain("registry publish show_order")
    expect(await json(["registry", "show", "show_order"])).toMatchObject({
      status: "draft",
      implementationType: "http",
      schema: { input: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false } },
      configSchema: { implementation: { method: "GET", url: `${shop.url}/orders/{id}` } },
    })
  })

  test("a draft is tested, and is not there in production", async () => {
    expect(JSON.parse((await typed(["registry", "test", "show_order", "id=2"])).stdout)).toMatchObject({ id: 2, status: "open" })
    const refused = await cli.run(["call", "registry.show_order", "id=2"])
    expect(refused).toMatchObject({ code: 4, stdout: "" })
    expect(refused.stderr).toContain("'registry.show_order' is a draft")
    expect(refused.stderr).toContain("registry publish show_order")
    expect((await typed(["tools", "search", "an order by its number"])).stdout).not.toContain("show_order")
    expect((await typed(["registry", "list"])).stdout).toMatch(/show_order\s+http\s+draft\s+1\.0\.0\s+Show order/)
  })

  test("published, it is found and called", async () => {
    const published = await typed(["registry", "publish", "show_order", "--reason", "The first one"])
    expect(published.stdout).toBe("Published registry.show_order, version 1.0.0\n")
    expect(published.stderr).toContain("call registry.show_order id=…")
    expect((await typed(["tools", "search", "an order by its number"])).stdout).toContain("registry.org.main.show_order")
    expect(await json(["call", "registry.show_order", "id=2"])).toMatchObject({
      structured: { result: { ok: true, data: { id: 2, status: "open" } } },
    })
    const code = 'return (await tools.registry.show_order({ id: "2" })).data.productId'
    expect((await typed(["run", "-"], code)).stdout).toBe("mug\n")
  })

  test("an edit waits for the next publish, and the old one still runs", async () => {
    const edited = await typed([
      "registry",
      "edit",
      "show_order",
      "--url",
      `${shop.url}/orders`,
      "--input",
      '{"type":"object","properties":{"status":{"type":"string"}}}',
    ])
    expect(edited.stdout).toBe("Changed show_order: production still runs version 1.0.0 until you publish\n")
    expect(edited.stderr).toContain("registry publish show_order")
    expect((await typed(["registry", "list"])).stdout).toMatch(/show_order\s+http\s+published\s+1\.0\.0\s+unpublished/)
    expect(JSON.parse((await typed(["call", "registry.show_order", "id=2"])).stdout)).toMatchObject({ id: 2 })
    expect(JSON.parse((await typed(["registry", "test", "show_order", '{"status":"open"}'])).stdout)).toMatchObject([{ id: 2 }])
  })

  test("diff says first what it means, then the JSON", async () => {
    const { stdout } = await typed(["registry", "diff", "show_order"])
    expect(stdout).toMatch(/^show_order from 1\.0\.0 to the working copy: breaking: .*\n {2}breaking +inputSchema/)
    expect(stdout.indexOf("breaking")).toBeLessThan(stdout.indexOf("JSON\n"))
    expect(await json(["registry", "diff", "show_order"])).toMatchObject({ kind: "breaking", json: expect.any(Array) })
    expect((await cli.run(["registry", "diff", "show_order"], { env: { FORCE_COLOR: "1" } })).stdout).toContain("\u001b[31mbreaking")
  })

  test("published again, the new one runs; rolled back, the old one", async () => {
    expect((await typed(["registry", "publish", "show_order"])).stdout).toContain("version 1.0.1")
    expect(JSON.parse((await typed(["call", "registry.show_order", "status=open"])).stdout)).toMatchObject([{ id: 2 }])
    expect((await typed(["registry", "publish", "show_order"])).stdout).toContain("Nothing new to publish")
    expect((await typed(["registry", "rollback", "show_order", "1.0.0"])).stdout).toBe(
      "Rolled back registry.show_order to 1.0.0, published as version 1.0.2\n",
    )
    expect(JSON.parse((await typed(["call", "registry.show_order", "id=2"])).stdout)).toMatchObject({ id: 2 })
  })

  test("its versions are listed, shown and compared", async () => {
    const { stdout } = await typed(["registry", "versions", "show_order"])
    expect(stdout).toMatch(/^VERSION\s+WHEN\s+BY\s+REASON\s+PUBLISHED\n1\.0\.2\s.*yes\n1\.0\.1\s.*\n1\.0\.0\s.*The first one\n$/)
    expect((await typed(["registry", "diff", "show_order", "1.0.0", "1.0.2"])).stdout).toContain("no difference")
    expect(JSON.parse((await typed(["registry", "versions", "show_order", "1.0.1"])).stdout)).toMatchObject({ implementationType: "http" })
  })

  test("a version of one's own, deprecated, disabled, back as a draft", async () => {
    expect((await typed(["registry", "version", "show_order", "2.0.0"])).stdout).toContain("Kept version 2.0.0")
    await typed(["registry", "create", "--name", "Find order", "--description", "Finds orders", "--url", `${shop.url}/orders`])
    await typed(["registry", "publish", "find_order"])
    await typed(["registry", "create", "--name", "Spare", "--description", "Goes again", "--url", `${shop.url}/orders`])
    expect((await typed(["registry", "deprecate", "registry.show_order", "--replaced-by", "find_order"])).stdout).toContain(
      "registry.find_order",
    )
    expect((await typed(["registry", "disable", "show_order"])).stderr).toContain("registry enable show_order")
    const refused = await cli.run(["registry", "publish", "show_order"])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("registry enable")])
    expect((await typed(["registry", "enable", "show_order"])).stdout).toContain("draft again")
    expect((await typed(["registry", "delete", "spare", "--yes"])).stdout).toBe("Deleted spare\n")
    expect((await typed(["registry", "delete", "show_order", "--yes"])).stdout).toContain("Disabled show_order: it was published")
  })
})

describe("secrets", () => {
  beforeAll(() => {
    cli = openCli(product.dataDir)
  })
  const header = ["--header", "authorization=Bearer ${token}"]
  const create = (name: string, ...more: string[]): string[] => [
    "registry",
    "create",
    "--name",
    name,
    "--description",
    "Lists orders",
    "--url",
    `${locked.url}/orders`,
    ...more,
  ]

  test("come from stdin or the environment, and never out again", async () => {
    await typed([...create("By stdin", ...header), "--secret-stdin"], `${planted}\n`)
    await typed([...create("By variable", ...header), "--env", "SHOP_TOKEN"])
    for (const slug of ["by_stdin", "by_variable"]) await typed(["registry", "publish", slug])
    expect(JSON.parse((await typed(["call", "registry.by_stdin"])).stdout)).toHaveLength(2)
    expect(JSON.parse((await typed(["call", "registry.by_variable"])).stdout)).toHaveLength(2)
    await typed(["registry", "edit", "by_stdin", "--description", "Lists all orders"])
    await typed(["registry", "publish", "by_stdin"])
    expect(JSON.parse((await typed(["call", "registry.by_stdin"])).stdout)).toHaveLength(2)
    for (const words of [
      ["registry", "show", "by_stdin"],
      ["registry", "export"],
      ["registry", "versions", "by_stdin", "1.0.0"],
      ["audit", "list", "--json"],
    ]) {
      const { stdout } = await typed(words)
      expect([words, stdout.includes(planted)]).toEqual([words, false])
    }
    expect((await typed(["registry", "show", "by_stdin"])).stdout).toContain('"authorization": "***"')
  })

  test("a header that is given again replaces the one of another case", async () => {
    const file = join(dataDir, "config.json")
    writeFileSync(file, JSON.stringify({ headers: { Authorization: "Bearer old", Accept: "application/json" } }))
    await typed(create("Cased", "--config", `@${file}`))
    await typed(["registry", "edit", "cased", ...header, "--secret-stdin"], planted)
    expect(await json(["registry", "show", "cased"])).toMatchObject({
      configSchema: { implementation: { headers: { Accept: "***", authorization: "***" } } },
    })
    expect(JSON.parse((await typed(["registry", "test", "cased"])).stdout)).toHaveLength(2)
  })

  test("another address asks for them again, and says how", async () => {
    const moved = await cli.run(["registry", "edit", "by_stdin", "--url", `${shop.url}/orders`])
    expect([moved.code, moved.stderr]).toEqual([2, expect.stringContaining("--header authorization")])
    await typed(["registry", "edit", "by_stdin", "--url", `${shop.url}/orders`, ...header, "--secret-stdin"], "another")
  })

  test.each([
    [["--header", "authorization=secret"], "leave out the value"],
    [["--header", "authorization"], "--secret-stdin, or --env NAME"],
    [["--config", '{"headers":{"x-key":"secret"}}'], "--header x-key"],
    [["--secret-stdin"], "neither was given"],
    [["--header", "bad name"], "the name of a header"],
  ])("%j is refused, because it would be seen or is missing", async (more, message) => {
    const refused = await cli.run(create("Refused", ...more))
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe("other types", () => {
  test("a test that changes something waits for a human, and goes on after the answer", async () => {
    const words = ["--name", "Place order", "--description", "Orders a product", "--url", `${shop.url}/orders`, "--method", "post"]
    await typed(["registry", "create", ...words, "--param", "productId:string:required", "--param", "quantity:integer:required"])
    const paused = await cli.run(["registry", "test", "place_order", "productId=tea", "quantity=2"])
    expect([paused.code, paused.stdout]).toEqual([3, ""])
    expect(paused.stderr).toMatch(/Answer at http\S+/)
    const id = /exe_\w+/.exec(paused.stderr)?.[0] ?? ""
    expect(JSON.parse((await typed(["resume", id, "--action", "accept"])).stdout)).toMatchObject({ productId: "tea", quantity: 2 })
    expect((await cli.run(["registry", "test", "place_order", "productId=tea", "quantity=many"])).code).toBe(2)
    const stray = await cli.run(["registry", "test", "place_order", "tea"])
    expect([stray.code, stray.stderr]).toEqual([2, expect.stringContaining("key=value")])
    const yes = await typed(["registry", "test", "place_order", "productId=mug", "quantity=1", "--yes"])
    expect(JSON.parse(yes.stdout)).toMatchObject({ productId: "mug" })
  })

  test("function: as the guide registers it", async () => {
    const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/make-your-own-tools.md"), "utf8")
    writeFileSync(join(dataDir, "executor.config.ts"), readSnippets(guide, "js")[0] ?? "")
    const alone = openCli(dataDir)
    const commands = readCommandBlocks(guide).find(({ kind }) => kind === "no-run")?.commands ?? ""
    const run = await alone.type(commands.replaceAll("./executor", "executor"))
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining("call registry.sales_tax net=…")])
    expect(run.stdout).toContain('"vat": 9.5')
    const refused = await alone.run(["registry", "create", "--name", "X", "--description", "Y", "--function", "vatt"])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("vat")])
  })

  test("custom: a tool made of tools, its code from stdin", async () => {
    const words = [
      "--name",
      "Count orders",
      "--description",
      "Counts orders",
      "--code",
      "-",
      "--param",
      "status:string:required:Which ones",
    ]
    await typed(["registry", "create", ...words], "const { data } = await tools.registry.by_stdin({})\nreturn data.length")
    expect(await json(["registry", "show", "count_orders"])).toMatchObject({
      implementationType: "custom",
      schema: { input: { properties: { status: { type: "string", description: "Which ones" } }, required: ["status"] } },
    })
    await typed(["registry", "publish", "count_orders"])
    expect((await typed(["call", "registry.count_orders", "status=open"])).stdout).toBe("2\n")
  })

  test("artifact: its inputs become the arguments; a change is a new version that published tools do not have", async () => {
    const code = 'return input.title.toLowerCase().replaceAll(" ", input.mark)'
    const inputs = ["--input", "title:string:required", "--input", "mark:string=-"]
    expect((await typed(["artifacts", "create", "--name", "Slugify", ...inputs, "--code", code])).stdout).toBe(
      "Created slugify, version 1\n",
    )
    await typed(["registry", "create", "--name", "Make slug", "--description", "Makes a slug", "--artifact", "slugify"])
    expect(await json(["registry", "show", "make_slug"])).toMatchObject({
      schema: { input: { properties: { title: { type: "string" }, mark: { type: "string", default: "-" } }, required: ["title"] } },
    })
    await typed(["registry", "publish", "make_slug"])
    expect((await typed(["artifacts", "edit", "slugify", "--code", 'return "changed"'])).stdout).toBe("Changed slugify: version 2\n")
    expect((await typed(["call", "registry.make_slug", "title=Green Tea"])).stdout).toBe("green-tea\n")
    expect((await typed(["artifacts", "versions", "slugify"])).stdout).toMatch(/\n2\s.*\n1\s/)
    expect((await typed(["artifacts", "show", "slugify"])).stdout).toContain('mark: string, by default "-"')
    expect((await typed(["artifacts", "list"])).stdout).toMatch(/slugify\s+2\s+title, mark\?/)
  })

  test("a definition goes out as JSON, and in again as a file", async () => {
    const file = join(dataDir, "tool.json")
    const shown = await json(["registry", "show", "count_orders"])
    writeFileSync(file, JSON.stringify({ ...shown, description: "Counts all orders" }))
    await typed(["registry", "edit", "count_orders", "--file", file])
    expect(await json(["registry", "show", "count_orders"])).toMatchObject({
      description: "Counts all orders",
      hasUnpublishedChanges: true,
    })
    const seed = {
      name: "Twice",
      description: "Doubles",
      implementation_type: "custom",
      implementation_config: { code: "return input.n * 2" },
      schema: { input: { type: "object", properties: { n: { type: "number" } } } },
    }
    await typed(["registry", "create", "--file", "-"], JSON.stringify(seed))
    await typed(["registry", "publish", "twice"])
    expect((await typed(["call", "registry.twice", "n=4"])).stdout).toBe("8\n")
  })

  test("export and import, with counts and warnings", async () => {
    const file = join(dataDir, "registry.json")
    expect((await typed(["registry", "export", "-o", file])).stdout).toMatch(/^Wrote \d+ tools and 1 artifact to /)
    const { tools } = JSON.parse(readFileSync(file, "utf8")) as { tools: { slug: string }[] }
    expect(tools.map(({ slug }) => slug)).toContain("count_orders")
    const renamed = tools.filter(({ slug }) => slug === "twice").map((tool) => ({ ...tool, slug: "thrice" }))
    writeFileSync(file, JSON.stringify({ tools: [...renamed, ...tools.filter(({ slug }) => slug === "twice")] }))
    const imported = await typed(["registry", "import", file])
    expect(imported.stdout).toBe("Imported 1 tool, skipped 1\n")
    expect(imported.stderr).toContain("warning: twice: there already is a tool of this slug")
    expect((await typed(["call", "registry.thrice", "n=4"])).stdout).toBe("8\n")
  })
})

test("credentials: from adding to removing, without their values", async () => {
  const added = await typed(["credentials", "add", "web_search", "--variant", "serper", "--label", "Search", "--secret-stdin"], planted)
  expect(added.stdout).toMatch(/^Added Search \(cred_\w+\)\n$/)
  expect((await typed(["credentials", "list"])).stdout).toMatch(/cred_\w+\s+Search\s+web_search\/serper\s+custom\s+api_key/)
  await typed(["credentials", "edit", "Search", "--label", "Web"])
  await typed(["credentials", "edit", "Web", "--endpoint", shop.url, "--secret-stdin"], planted)
  const list = await json(["credentials", "list"])
  expect(list).toMatchObject({ items: [{ label: "Web", values: { api_key: "***" }, endpoint: `${shop.url}/` }] })
  expect(JSON.stringify(list)).not.toContain(planted)
  expect((await typed(["credentials", "remove", "Web", "--yes"])).stdout).toContain("Removed Web")
  expect((await typed(["credentials", "list"])).stderr).toContain("credentials add")
})

test.each([
  ["registry show nobody", 4, "There is no tool 'nobody'; see"],
  ["registry create --name X --description Y", 2, "--url for an HTTP request"],
  ["registry create --name X --url http://127.0.0.1:1/", 2, "--description"],
  ["registry create --name X --description Y --url http://127.0.0.1:1/ --function f", 2, "--function is for tools of the type function"],
  ["registry create --name X --description Y --function f", 2, "The function 'f' is not registered"],
  ["registry create --name X --description Y --url http://127.0.0.1:1/ --param a:date", 2, "the type must be one of"],
  ["registry create --name X --description Y --url http://127.0.0.1:1/{a} --param a:string:optional", 2, "cannot be optional"],
  ["registry create --name X --description Y --url http://{a}/", 2, "may not have {name}"],
  ["registry create --name X --description Y --type nothing", 2, "Allowed choices are"],
  ["registry edit twice", 2, "Nothing to change"],
  ["registry version twice 1.0", 2, "is not a version"],
  ["registry version twice 0.9.0", 1, "greater"],
  ["registry rollback twice 7.0.0", 4, "registry versions twice"],
  ["registry deprecate twice --replaced-by nobody", 4, "There is no tool 'nobody'"],
  ["registry enable twice", 2, "is not disabled"],
  ["artifacts show nobody", 4, "There is no artifact 'nobody'; see"],
  ["artifacts create --name X", 2, "--name and --code"],
  ["artifacts create --name X --code 1 --input a:date", 2, "name:type"],
  ["credentials remove nobody", 4, "There is no credential 'nobody'; see"],
  ["registry import /nowhere.json", 2, "there is no such file"],
])("%s ends with %i and says what to type", async (line, code, message) => {
  const run = await cli.run(line.split(" "))
  expect([run.code, run.stdout, run.stderr]).toEqual([code, "", expect.stringContaining(message)])
})

describe.skipIf(!hasTerminal)("on a terminal", () => {
  test("a header's value is asked for, and not shown", async () => {
    const words = ["--name", "Asked", "--description", "Lists orders", "--url", `${locked.url}/orders`, "--header", "x-shop-key"]
    const terminal = openTerminal(product.dataDir, ["registry", "create", ...words], { columns: 80 })
    await terminal.until("What is the x-shop-key?")
    terminal.type(`${planted}\r`)
    await terminal.ended
    expect(terminal.shown()).toContain("Created asked")
    expect(terminal.shown()).not.toContain(planted)
    expect(await json(["registry", "show", "asked"])).toMatchObject({
      configSchema: { implementation: { headers: { "x-shop-key": "***" } } },
    })
  })

  test.each(["registry list", "artifacts list", "credentials list", "registry versions twice"])(
    "%s fits into 80 columns",
    async (words) => {
      // An empty list is one sentence with the path of this clone in it, which may be of any length.
      if (words === "credentials list") {
        const details = ["--variant", "serper", "--label", "The search of the whole company", "--endpoint", shop.url]
        await typed(["credentials", "add", "web_search", ...details, "--secret-stdin"], planted)
      }
      const terminal = openTerminal(product.dataDir, words.split(" "), { columns: 80 })
      await terminal.ended
      for (const line of terminal.shown().split("\n")) expect(line.length).toBeLessThanOrEqual(80)
    },
  )

  test("rollback asks, and a no changes nothing", async () => {
    await typed(["registry", "edit", "twice", "--description", "Doubles a number"])
    await typed(["registry", "publish", "twice"])
    const terminal = openTerminal(product.dataDir, ["registry", "rollback", "twice", "1.0.0"], { columns: 80 })
    await terminal.until("[y/N]")
    terminal.type("n\r")
    await terminal.ended
    expect(await json(["registry", "show", "twice"])).toMatchObject({ publishedVersion: "1.0.1" })
  })
})
