// GitHub's document imported and connected, beside JSON.parse of the same file, and a catalog of 100,000 tools.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import { median, peakRssMegabytes, table, timed } from "./measure.ts"

const path = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")
const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const rows: string[][] = []

const startRss = peakRssMegabytes()
const executor = await createExecutor({ dataDir })
const source = await serveFile(path)
const imported = await timed(async () => {
  await executor.integrations.add({ slug: "github", kind: "openapi", config: { spec: source.url } })
  await executor.connections.create({ integration: "github" })
})
const importPeak = peakRssMegabytes()
const count = (await executor.tools.list({ integration: "github" })).length
const second = await timed(() => executor.connections.create({ integration: "github", name: "second" }))

const text = readFileSync(path, "utf8")
const parses = await Promise.all(Array.from({ length: 5 }, () => timed(() => Promise.resolve(JSON.parse(text)))))
const baseline = median(parses)
rows.push(["JSON.parse of the file (baseline)", `${baseline.toFixed(0)} ms`, "1.0", ""])
rows.push([
  `import and connect, ${count} tools`,
  `${imported.toFixed(0)} ms`,
  (imported / baseline).toFixed(1),
  `peak RSS ${importPeak} MB (${startRss} MB before)`,
])
rows.push(["second connection of it", `${second.toFixed(0)} ms`, (second / baseline).toFixed(1), "shares every row"])

await growTo(100_000)
rows.push(["100,000 tools: list of 100", `${(await medianOf(() => executor.tools.page({}, { limit: 100 }))).toFixed(2)} ms`, "", ""])
rows.push([
  "100,000 tools: last page of 100",
  `${(await medianOf(() => executor.tools.page({ integration: "many_099" }, { limit: 100 }))).toFixed(2)} ms`,
  "",
  "",
])
rows.push([
  "100,000 tools: schema of one",
  `${(await medianOf(() => executor.tools.schema("tools.many_050.org.main.things.op500"))).toFixed(2)} ms`,
  "",
  "",
])
await executor.close()
const reopened = await timed(async () => (await createExecutor({ dataDir })).close())
rows.push(["100,000 tools: start and stop", `${reopened.toFixed(0)} ms`, "", ""])
const emptyDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
await (await createExecutor({ dataDir: emptyDir })).close()
rows.push([
  "empty catalog: start and stop",
  `${(await timed(async () => (await createExecutor({ dataDir: emptyDir })).close())).toFixed(0)} ms`,
  "",
  "",
])

table(["what", "time", "× baseline", ""], rows)
source.close()
rmSync(dataDir, { recursive: true })
rmSync(emptyDir, { recursive: true })

async function growTo(total: number): Promise<void> {
  const each = 1000
  for (let n = 0; n < total / each; n++) {
    const slug = `many_${String(n).padStart(3, "0")}`
    const paths = Object.fromEntries(
      Array.from({ length: each }, (_, i) => [
        `/${slug}/${i}`,
        { get: { operationId: `things/op${i}`, summary: `Operation ${i} of ${slug}`, responses: { 200: { description: "ok" } } } },
      ]),
    )
    await executor.integrations.add({
      slug,
      kind: "openapi",
      config: { spec: { openapi: "3.1.0", info: { title: slug, version: "1" }, servers: [{ url: "https://example.com" }], paths } },
    })
    await executor.connections.create({ integration: slug })
  }
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  await work()
  const times: number[] = []
  for (let i = 0; i < 50; i++) times.push(await timed(work))
  return median(times)
}

/** In a process of its own, so that its memory is not counted as ours. */
async function serveFile(file: string): Promise<{ url: string; close(): void }> {
  const script = `const { createServer } = require("node:http"); const { createReadStream } = require("node:fs")
    const server = createServer((_, response) => createReadStream(${JSON.stringify(file)}).pipe(response.writeHead(200, { "content-type": "application/json" })))
    server.listen(0, "127.0.0.1", () => console.log(server.address().port))`
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  const port = await new Promise<string>((resolve) => child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())))
  return { url: `http://127.0.0.1:${port}/github.json`, close: () => void child.kill() }
}
