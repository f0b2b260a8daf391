// Ten thousand runs of an agent that wait for a human: what they hold in memory, and how fast another node resumes any one.
//
// `node --expose-gc bench/paused-runs.ts [count]`. The baseline is a run that does not pause: what the model and the call take
// anyway. Each portion of runs is followed by a collection of garbage: what the later portions add is what waiting runs hold.
import { statSync } from "node:fs"
import { join } from "node:path"
import { startAgentBench } from "./agents-setup.ts"
import { median, quantile, table, timed } from "./measure.ts"

const count = Number(process.argv[2] ?? 10_000)
const portions = 5
const startedAtOnce = 16
const resumed = 50
const kilobyte = 1024

const bench = await startAgentBench()
const node = await bench.open()
/** Those that will be resumed: keeping all would be counted as the product's memory. */
const ids: string[] = []
let waiting = 0
const memory: { readonly runs: number; readonly heapBytes: number; readonly rssBytes: number }[] = []
const startedMs = performance.now()
for (let portion = 1; portion <= portions; portion += 1) {
  await Promise.all(
    Array.from({ length: startedAtOnce }, async () => {
      while (waiting < (count * portion) / portions) {
        const reply = await node.agents.run(bench.slug, { text: "make 1 1" })
        if (reply.status !== "paused") throw new Error(`A run did not wait: ${reply.text}`)
        if (waiting++ % Math.ceil(count / resumed) === 0) ids.push(reply.runId)
      }
    }),
  )
  memory.push(await held())
}
const pausedMs = performance.now() - startedMs
const bytes = statSync(join(bench.dataDir, "executor.db")).size

const other = await bench.open()
for (let n = 0; n < 10; n += 1) await other.agents.run(bench.slug, { text: "read 1 1" })
const times = { model: [] as number[], whole: [] as number[], resume: [] as number[] }
for (let n = 0; n < resumed; n += 1) {
  times.model.push(await timed(() => askModel()))
  times.whole.push(await timed(() => other.agents.run(bench.slug, { text: "read 1 1" })))
  const id = ids[n]
  if (id === undefined) break
  times.resume.push(
    await timed(async () => {
      const reply = await other.resume(id, { action: "accept" })
      if (reply.status !== "completed") throw new Error(`A run did not end: ${reply.text}`)
    }),
  )
}
const spent = (all: readonly number[]): string => `p50 ${median(all).toFixed(2)} ms, p99 ${quantile(all, 0.99).toFixed(2)} ms`
const heldByEach = memory.slice(1).map(({ runs, heapBytes }, at) => {
  const before = memory[at]
  return before === undefined ? 0 : (heapBytes - before.heapBytes) / (runs - before.runs)
})
table(
  ["what", "value"],
  [
    [`${waiting} runs that wait`, `${((waiting / pausedMs) * 1000).toFixed(0)} a second`],
    ["heap, RSS after so many", memory.map(({ runs, heapBytes, rssBytes }) => `${runs}: ${mb(heapBytes)}, ${mb(rssBytes)} MB`).join("; ")],
    ["heap that each run of a later portion added", heldByEach.map((one) => `${one.toFixed(0)} B`).join("; ")],
    ["database, for each of them", `${(bytes / waiting / kilobyte).toFixed(1)} KiB`],
    ["the model alone", spent(times.model)],
    ["a run that does not wait: two questions, one call", spent(times.whole)],
    ["resume of any one on another node: one question, one call", spent(times.resume)],
    ["resume without the model", `p50 ${(median(times.resume) - median(times.model)).toFixed(2)} ms`],
  ],
)
await bench.close()

/** As the run asks it, once. */
async function askModel(): Promise<void> {
  const response = await fetch(`${bench.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", stream: true, messages: [{ role: "user", content: "none" }] }),
  })
  await response.text()
}

/** A second collection takes what the first one has only finalized. */
async function held(): Promise<(typeof memory)[number]> {
  for (let n = 0; n < 2; n += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, rss } = process.memoryUsage()
  return { runs: waiting, heapBytes: heapUsed, rssBytes: rss }
}

function mb(of: number): string {
  return (of / kilobyte ** 2).toFixed(1)
}
