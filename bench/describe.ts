// What describing tools costs: one of GitHub's cold and warm, and the memory after every tool of GitHub, Stripe and Kubernetes.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import { quantile, table, timed } from "./measure.ts"

const samples = join(import.meta.dirname, "../../shared/specs")
const github = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")
const documents = [
  { slug: "github", file: github },
  { slug: "stripe", file: join(samples, "stripe.yaml") },
  { slug: "kubernetes", file: join(samples, "kubernetes-swagger2.json") },
].filter(({ file }) => existsSync(file))

const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const executor = await createExecutor({ dataDir })
for (const { slug, file } of documents) {
  await executor.integrations.add({
    slug,
    kind: "openapi",
    config: { spec: readFileSync(file, "utf8"), baseUrl: "https://api.example.com" },
  })
  await executor.connections.create({ integration: slug })
}

const wanted = "tools.github.org.main.issues.create"
const parse = await timed(async () => JSON.parse(readFileSync(github, "utf8")) as unknown)
const cold = await timed(() => executor.tools.schema(wanted))
const warm: number[] = []
for (let at = 0; at < 1000; at += 1) warm.push(await timed(() => executor.tools.schema(wanted)))
await executor.run("return await tools.describe.tool({ path: 'github.repos.get' })")
const inCode = await executor.run(
  `const times = []
   for (let at = 0; at < 100; at += 1) { const before = performance.now(); await tools.describe.tool({ path: "github.issues.create" }); times.push(performance.now() - before) }
   return times.sort((a, b) => a - b)[50]`,
)

table(
  ["describe issues.create of GitHub", "ms"],
  [
    ["parsing GitHub's document once (baseline)", parse.toFixed(1)],
    ["tools.schema, cold", cold.toFixed(2)],
    ["tools.schema, warm, median", quantile(warm, 0.5).toFixed(3)],
    ["tools.schema, warm, p99", quantile(warm, 0.99).toFixed(3)],
    ["describe.tool in code, warm, median", inCode.structured.status === "completed" ? Number(inCode.structured.result).toFixed(3) : ""],
  ],
)

process.stdout.write("\n")
const rows: string[][] = [["before", "", "", "", rssMegabytes()]]
for (const round of [1, 2]) {
  for (const { slug } of documents) {
    const times: number[] = []
    for (const { address } of await executor.tools.list({ integration: slug }))
      times.push(await timed(() => executor.tools.schema(address)))
    rows.push([
      `${slug}, round ${round}`,
      String(times.length),
      quantile(times, 0.5).toFixed(2),
      quantile(times, 0.99).toFixed(1),
      rssMegabytes(),
    ])
  }
}
table(["describe every tool", "tools", "p50 ms", "p99 ms", "RSS MB after"], rows)
await executor.close()
rmSync(dataDir, { recursive: true })

function rssMegabytes(): string {
  globalThis.gc?.()
  return (process.memoryUsage.rss() / 1e6).toFixed(0)
}
