// The file that names plugins: where it is looked for, and what is said when it is wrong.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { openCli } from "./cli-run.ts"
import { sampleConfig } from "./plugin-sample.ts"
import { startProduct } from "./product.ts"

const directory = (): string => mkdtempSync(join(tmpdir(), "executor-e2e-plugin-"))

describe("the config file", () => {
  const start = (dataDir: string, env: Record<string, string> = {}, args: readonly string[] = []) => startProduct({ dataDir, env, args })
  const startError = async (files: Record<string, string>, env: Record<string, string> = {}): Promise<string> => {
    const dataDir = directory()
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dataDir, name), text)
    try {
      const started = await start(dataDir, env)
      await started.stop()
      return "it started"
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  const oneTool = (id: string): string =>
    `export default { plugins: [{ id: "${id}", name: "A", description: "A", tools: [{ path: "${id}.a", name: "A", description: "A", destructive: false, inputSchema: { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }, handler: () => 1 }] }] }`

  test.each<[string, Record<string, string>, string]>([
    ["does not parse", { "executor.config.ts": "export default {{" }, "executor.config.ts cannot be used"],
    ["throws", { "executor.config.js": "throw new Error('oh no')" }, "oh no"],
    ["exports nothing", { "executor.config.ts": "export const plugins = []" }, "export default { plugins"],
    ["has an unknown setting", { "executor.config.mjs": "export default { plugin: [] }" }, "unknown setting 'plugin'"],
    [
      "has a plugin that breaks a rule",
      { "executor.config.mjs": oneTool("reserved_ok").replace('"A", tools', '"A", colour: 1, tools') },
      "executor.config.mjs cannot be used: A plugin has no field 'colour'",
    ],
    ["names no plugins", { "executor.config.mjs": "export default new Map()" }, "executor.config.mjs cannot be used: it has no plugins"],
    ["promises something else", { "executor.config.mjs": "export default Promise.resolve(5)" }, "export default { plugins"],
    ["promises nothing", { "executor.config.mjs": "export default Promise.reject(new Error('not today'))" }, "not today"],
    ["has a plugin that is none", { "executor.config.mjs": "export default { plugins: [null] }" }, "executor.config.mjs cannot be used"],
    ["is there twice", { "executor.config.ts": "", "executor.config.js": "" }, "keep only one of them"],
    ["imports what is not there", { "executor.config.ts": 'import "no-such-package"' }, "no-such-package"],
    [
      "has two plugins of one slug",
      {
        "executor.config.mjs": `${oneTool("a").replace("export default", "const a =")}; export default { plugins: [...a.plugins, ...a.plugins] }`,
      },
      "have the same slug 'a'",
    ],
  ])("that %s stops the start, and says why", async (_name, files, reason) => {
    expect(await startError(files)).toContain(reason)
  })

  test("that others may write is not run", async () => {
    const dataDir = directory()
    writeFileSync(join(dataDir, "executor.config.mjs"), oneTool("a"))
    chmodSync(join(dataDir, "executor.config.mjs"), 0o666)
    await expect(start(dataDir)).rejects.toThrow("chmod o-w")
    rmSync(dataDir, { recursive: true })
  })

  test("may be named, with plugins in plain JavaScript, and is never taken from the working directory", async () => {
    const dataDir = directory()
    const elsewhere = join(dataDir, "elsewhere")
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, "executor.config.mjs"), oneTool("named"))
    const cli = openCli(dataDir)
    const unnamed = await cli.run(["tools", "list", "--json"], { cwd: elsewhere })
    expect(unnamed.stdout).not.toContain("named.a")
    const named = await cli.run(["tools", "list", "--json"], { cwd: elsewhere, env: { EXECUTOR_CONFIG: "executor.config.mjs" } })
    expect(named.stdout).toContain("named.a")
    const file = join(elsewhere, "executor.config.mjs")
    const called = await cli.run(["call", "named.a", "--config", file, "--json"], {})
    expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining("1") })
    const server = await start(dataDir, {}, ["--config", file])
    const late = await cli.run(["call", "named.a", "--config", file], {})
    expect(late).toMatchObject({ code: 2, stderr: expect.stringContaining("executor serve --config") })
    expect(await server.client.run("return await tools.named.a()")).toMatchObject({ structured: { result: { ok: true, data: 1 } } })
    await server.stop()
  })

  test("may be a promise of one", async () => {
    const dataDir = directory()
    writeFileSync(
      join(dataDir, "executor.config.mjs"),
      `${oneTool("late").replace("export default", "const config =")}; export default (async () => config)()`,
    )
    const listed = await openCli(dataDir).run(["tools", "list", "--json"])
    expect(listed.stdout).toContain("late.a")
    rmSync(dataDir, { recursive: true })
  })

  test("may be made of several files in TypeScript, without a word of warning", async () => {
    const dataDir = directory()
    writeFileSync(join(dataDir, "executor.config.ts"), 'import plugins from "./more.ts"\nconst all: object = plugins\nexport default all\n')
    writeFileSync(join(dataDir, "more.ts"), `type Id = string\n${oneTool("more")}`)
    const server = await start(dataDir)
    expect(await server.client.run("return await tools.more.a()")).toMatchObject({ structured: { result: { ok: true, data: 1 } } })
    expect(server.output()).not.toMatch(/warning/i)
    await server.stop()
  })

  test("whose plugin was taken away leaves its connections, which say so", async () => {
    const dataDir = directory()
    const path = join(dataDir, "executor.config.ts")
    writeFileSync(path, sampleConfig("https://items.example"))
    const before = await start(dataDir)
    await before.client.connections.create({ integration: "my_service", auth: { template: "bearer", values: { token: "t" } } })
    await before.kill("SIGKILL")
    rmSync(path)
    const after = await start(dataDir)
    expect(await after.client.run("return await tools.my_service.items.list()")).toMatchObject({
      structured: {
        result: { ok: false, error: { code: "upstream_unreachable", message: expect.stringContaining("'my-service' is not loaded") } },
      },
    })
    await after.stop()
  })

  test("that names a slug which another integration has stops the start", async () => {
    const dataDir = directory()
    const first = await start(dataDir)
    const spec = { openapi: "3.1.0", info: { title: "A", version: "1" }, servers: [{ url: "https://a.example" }], paths: {} }
    await first.client.integrations.add({ slug: "odd", kind: "openapi", config: { spec } })
    await first.kill("SIGKILL")
    writeFileSync(join(dataDir, "executor.config.ts"), sampleConfig("https://items.example"))
    await expect(start(dataDir)).rejects.toThrow("an integration of kind openapi already has it")
    rmSync(dataDir, { recursive: true })
  })
})
