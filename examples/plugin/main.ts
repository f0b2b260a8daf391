// A plugin goes through the product from end to end: defined, checked, connected, called by code, and answered by a human.
import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import { checkPlugin } from "toolplane/testing"
import { startNotesApi } from "./notes-api.ts"
import { notesPlugin } from "./notes-plugin.ts"

const api = await startNotesApi("s3cret-token")
const plugin = notesPlugin(api.url)

// The plugin's own test: it checks the rules for plugins, and makes calls that must succeed.
const problems = await checkPlugin(plugin, {
  tokens: { notes: "s3cret-token" },
  allowPrivateHosts: ["127.0.0.1"],
  calls: [
    { path: "notes.list", input: { limit: 5 } },
    { path: "notes.create", input: { text: "Water the plants" } },
    { path: "notes.archive", input: { id: 2 }, answers: [{ action: "accept", content: { reason: "done" } }] },
  ],
})
assert.deepEqual(problems, [])

// The service runs on this machine, which plugins can reach only if the operator allows it.
process.env["EXECUTOR_ALLOW_PRIVATE_HOSTS"] = "127.0.0.1"
const dataDir = mkdtempSync(join(tmpdir(), "executor-plugin-"))
const executor = await createExecutor({ dataDir, plugins: [plugin] })

// With an auth provider, the plugin is an integration; a connection provides the token.
const { items } = await executor.integrations.list()
assert.deepEqual(
  items.map(({ slug, kind }) => ({ slug, kind })),
  [{ slug: "notes", kind: "plugin" }],
)
await executor.connections.create({ integration: "notes", auth: { template: "bearer", values: { token: "s3cret-token" } } })
const schema = await executor.tools.schema("notes.list")
console.log(schema?.inputTypeScript, schema?.outputTypeScript)

const listed = await executor.execute("tools.notes.org.main.list", {})
console.log(listed)
assert.deepEqual(listed.ok && listed.data, [{ id: 1, text: "Buy tea", archived: false }])

// Invalid arguments are rejected before the handler runs.
const refused = await executor.execute("notes.list", { limit: 0 })
assert.equal(!refused.ok && refused.error.code, "invalid_arguments")

// Destructive tools wait for a human's approval, and a question waits for their answer.
let run = await executor.run(`return await tools.notes.archive({ id: 1 }).unwrap()`)
assert.equal(run.status, "paused")
run = await executor.resume(run.executionId, { action: "accept" })
assert.equal("interactions" in run.structured && run.structured.interactions[0]?.message, "Why should note 1 be archived?")
run = await executor.resume(run.executionId, { action: "accept", content: { reason: "bought" } })
console.log(run.text)
assert.deepEqual("result" in run.structured && run.structured.result, {
  archived: { id: 1, text: "Buy tea", archived: true },
  reason: { reason: "bought" },
})

await executor.close()
await api.close()
rmSync(dataDir, { recursive: true })
