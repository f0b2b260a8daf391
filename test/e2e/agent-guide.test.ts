// The guide for agents says what the examples do, and its agent runs as a program of its own against a model, a server and an MCP server.
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, expect, test } from "vitest"
import { loadToolsConfig } from "../../src/agent-tools/index.ts"
import { startLedger } from "../servers/ledger.ts"
import { startModelServer } from "../servers/model.ts"
import { readSnippets } from "./doc-blocks.ts"
import { startProduct } from "./product.ts"

const root = join(import.meta.dirname, "..", "..")
const agentFile = join(root, "examples", "agent", "agent.ts")
const examples = [agentFile, join(root, "examples", "agent-tool", "main.ts")].map((path) => readFileSync(path, "utf8"))
const guide = readFileSync(join(root, "docs", "guide", "writing-an-agent.md"), "utf8")
const snippets = readSnippets(guide, "ts")
const folder = mkdtempSync(join(tmpdir(), "executor-agent-guide-"))

/** The example uses the package as its users do, so it has to be built. */
beforeAll(() => {
  if (process.env["EXECUTOR_TEST_BUILT"] !== undefined) return
  const built = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.build.json"], { cwd: root, encoding: "utf8" })
  expect(built.stdout + built.stderr).toBe("")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("the whole agent has less than 100 lines", () => {
  expect(examples[0]?.split("\n").length).toBeLessThan(100)
  expect(snippets.length).toBeGreaterThan(5)
})

test.each(snippets)("%s", (snippet) => {
  expect(examples.some((example) => example.includes(snippet))).toBe(true)
})

test("its TOML is the example's, and a config", async () => {
  const [toml = ""] = readSnippets(guide, "toml")
  expect(toml.trim()).toBe(readFileSync(join(root, "examples", "agent", "tools.toml"), "utf8").trim())
  const config = await loadToolsConfig({ text: toml })
  expect(config).toMatchObject({
    shell: "sandboxed",
    approvalPolicy: "on_request",
    mcpServers: { filesystem: { command: "npx", toolTimeoutMs: 30_000 } },
  })
})

test("the agent answers, as a program with an agent's token", async () => {
  const ledger = await startLedger()
  const product = await startProduct()
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
  const { token } = await product.client.tokens.create({ name: "my agent", kind: "agent" })
  const model = await startModelServer(
    [
      {
        calls: [
          { name: "mcp__memory__create_entities", arguments: { entities: [{ name: "Ann", entityType: "person", observations: [] }] } },
          { name: "execute", arguments: { code: `return await tools.ledger.items.get({ name: "pen" }).unwrap()` } },
          { name: "nothing", arguments: {} },
        ],
      },
      ({ outputs }) => ({ text: outputs.map((output) => output.text).join(" | ") }),
    ],
    { apiKey: "of the model" },
  )
  const memoryServer = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js")
  writeFileSync(
    join(folder, "tools.toml"),
    `[mcp_servers.memory]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(memoryServer)}]
env = { MEMORY_FILE_PATH = ${JSON.stringify(join(folder, "memory.json"))} }
required = true

[mcp_servers.missing]
command = "no-such-program"
`,
  )
  const run = spawn(process.execPath, [agentFile, "What is there?"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      MODEL_URL: model.baseUrl,
      MODEL: "scripted",
      MODEL_KEY: "of the model",
      EXECUTOR_ORIGIN: `${product.url}/api`,
      EXECUTOR_TOKEN: token,
      TOOLS_CONFIG: "tools.toml",
    },
    stdio: ["pipe", "pipe", "pipe"],
  })
  const exited = new Promise((resolve) => run.once("exit", resolve))
  const [said, errors] = await Promise.all([text(run.stdout), text(run.stderr)])
  expect({ code: await exited, errors }).toEqual({
    code: 0,
    errors: expect.stringMatching(/^Without the MCP server missing: The command 'no-such-program' was not found.*\n$/),
  })
  const [remembered, item, unknown] = said.split(" | ")
  expect(remembered).toContain("Ann")
  expect(item).toBe('{"name":"pen","count":1}')
  expect(unknown?.trim()).toBe("unsupported call: nothing")
  await model.close()
  await product.stop()
  await ledger.close()
})
