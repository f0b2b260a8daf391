// Runs the agent of this folder against a scripted model: an MCP server, a shell, the catalog, and a human who approves an order.
import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import { chooseSandbox } from "toolplane/agent"
import { startModelServer } from "../../test/servers/model.ts"
import type { ModelRequest } from "../../test/servers/model.ts"
import { startOrdersApi } from "../openapi-quickstart/orders-api.ts"
import { runAgent } from "./agent.ts"

const folder = mkdtempSync(join(tmpdir(), "executor-agent-"))
const workspace = mkdtempSync(join(tmpdir(), "executor-agent-workspace-"))
writeFileSync(join(workspace, "wanted.txt"), "5 coffee\n")
const fileServer = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js")
writeFileSync(
  join(folder, "tools.toml"),
  `workspace = ${JSON.stringify(workspace)}

[mcp_servers.filesystem]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(fileServer)}, ${JSON.stringify(workspace)}]
timeout_seconds = 30
`,
)

const api = await startOrdersApi("s3cret-token")
const executor = await createExecutor({ dataDir: join(folder, "data") })
await executor.integrations.add({ slug: "orders", kind: "openapi", config: { spec: `${api.url}/openapi.json` } })
await executor.connections.create({ integration: "orders", auth: { template: "bearer", values: { token: "s3cret-token" } } })

// What a real model would do: look at the file in two ways at once, order what it says, and wait for the human.
const hasShell = chooseSandbox().driver !== null
const lastOutput = ({ outputs }: ModelRequest): string => outputs.at(-1)?.text ?? ""
const model = await startModelServer([
  (request) => {
    assert.equal(request.tools.includes("shell"), hasShell)
    const read = { name: "mcp__filesystem__read_text_file", arguments: { path: join(workspace, "wanted.txt") } }
    return { calls: hasShell ? [read, { name: "shell", arguments: { command: ["cat", "wanted.txt"] } }] : [read] }
  },
  (request) => {
    for (const { text } of request.outputs) assert.match(text, /5 coffee/)
    const code = `return await tools.orders.orders.create({ item: "coffee", quantity: 5 }).unwrap()`
    return { calls: [{ name: "execute", arguments: { code } }] }
  },
  (request) => {
    assert.match(lastOutput(request), /waits for the user/)
    const [executionId] = /exe_[a-z0-9]+/.exec(lastOutput(request)) ?? []
    return { calls: [{ name: "resume", arguments: { executionId, action: "accept" } }] }
  },
  (request) => ({ text: `Ordered: ${lastOutput(request)}` }),
])

// The human: here a program, otherwise somebody at the approval page or at `executor approvals`.
async function approveWhenAsked(): Promise<void> {
  await model.request(3)
  const [asked] = (await executor.approvals.list()).items
  await executor.approvals.answer(asked?.approvalId ?? "", { action: "accept" })
}

const [answer] = await Promise.all([
  runAgent("Order what wanted.txt says", {
    model: { baseUrl: model.baseUrl, name: "scripted", apiKey: "none" },
    executor,
    configFile: join(folder, "tools.toml"),
    session: {},
  }),
  approveWhenAsked(),
])
console.log(answer)
assert.match(answer, /^Ordered: .*"item":"coffee","quantity":5/)

await model.close()
await executor.close()
await api.close()
for (const path of [folder, workspace]) rmSync(path, { recursive: true })
