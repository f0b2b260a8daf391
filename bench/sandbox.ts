// The sandbox alone, in this process, beside what a prototype of it reached on a machine of two cores.
import { tmpdir } from "node:os"
import { defaultLimits } from "../src/core/limits.ts"
import { systemClock } from "../src/io/clock.ts"
import { silentLog } from "../src/io/log.ts"
import { createQuickJsSandbox } from "../src/sandbox/quickjs/sandbox.ts"
import type { SandboxAnswer, SandboxHost, SandboxRun, SettleEvent } from "../src/sandbox/sandbox.ts"
import { quantile, table } from "./measure.ts"

const roundMs = Number(process.env["BENCH_MS"] ?? 1500)
const startedAt = performance.now()
const sandbox = createQuickJsSandbox({ limits: defaultLimits, clock: systemClock, log: silentLog, spillDir: tmpdir() })
const answer: SandboxAnswer = { form: "envelope", json: '{"ok":true,"data":{"id":1,"name":"thing"}}' }
const quickHost: SandboxHost = { call: async () => answer, record: () => {}, output: () => {} }
let lastRun = 0

const newRun = (code: string, replay: readonly SettleEvent[] = []): SandboxRun => ({
  id: `exec_${++lastRun}`,
  principal: `principal_${lastRun % 8}`,
  code,
  results: "envelope",
  seed: new Uint8Array(32),
  startedAtMs: Date.now(),
  wallMs: 600_000,
  replay,
  outputsSeen: 0,
  signal: new AbortController().signal,
})

async function once(code: string, host: SandboxHost = quickHost, replay: readonly SettleEvent[] = []): Promise<number> {
  const start = performance.now()
  const outcome = await sandbox.run(newRun(code, replay), host)
  if (outcome.status !== "returned") throw new Error(JSON.stringify(outcome))
  return performance.now() - start
}

const rssMegabytes = (): number => process.memoryUsage().rss / 2 ** 20
const rows: string[][] = []

/** Runs the code again and again, so many at a time. */
async function load(name: string, code: string, concurrency: number, prototype: string): Promise<void> {
  const times: number[] = []
  const cpu = process.cpuUsage()
  const start = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() - start < roundMs) times.push(await once(code))
    }),
  )
  const used = process.cpuUsage(cpu)
  const perSecond = Math.round((times.length / (performance.now() - start)) * 1000)
  const cpuEach = Math.round((used.user + used.system) / times.length)
  const [p50, p99] = [quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(1)]
  rows.push([name, String(concurrency), `${perSecond}/s`, `${p50} / ${p99} ms`, `${cpuEach} µs`, prototype])
}

async function replayOf(calls: number): Promise<void> {
  const code = `let n = 0; for (let i = 0; i < ${calls}; i++) n += (await tools.a.b({ i })).data.id; return n`
  const events: SettleEvent[] = []
  await once(code, { ...quickHost, record: (event) => void events.push(event) })
  const times: number[] = []
  const cpu = process.cpuUsage()
  for (let i = 0; i < 50; i++) times.push(await once(code, quickHost, events))
  const used = process.cpuUsage(cpu)
  const cpuEach = ((used.user + used.system) / 50 / 1000).toFixed(1)
  rows.push([`replay of ${calls} recorded calls`, "1", "", `${quantile(times, 0.5).toFixed(2)} ms`, `${cpuEach} ms`, "9 ms of CPU"])
}

/** How much executions hold while their calls are under way. */
async function waiting(count: number, prototype: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<SandboxAnswer>()
  const asked = Promise.withResolvers<void>()
  let left = count
  const host: SandboxHost = {
    ...quickHost,
    call() {
      if (--left === 0) asked.resolve()
      return promise
    },
  }
  const before = rssMegabytes()
  const cpu = process.cpuUsage()
  const runs = Array.from({ length: count }, () => once("const r = await tools.a.b({ i: 1 }); return r.data.id", host))
  await asked.promise
  const held = rssMegabytes() - before
  resolve(answer)
  await Promise.all(runs)
  const used = process.cpuUsage(cpu)
  const cpuEach = ((used.user + used.system) / count / 1000).toFixed(2)
  rows.push([
    `${count} waiting`,
    String(count),
    "",
    `+${held.toFixed(0)} MiB, ${((held * 1024) / count).toFixed(0)} KiB each`,
    `${cpuEach} ms`,
    prototype,
  ])
}

/** One guest is stuck in a built-in: how long until those beside it go on, and what everybody else sees. */
async function stuck(): Promise<void> {
  const others: number[] = []
  const state = { isOver: false }
  const watching = (async () => {
    while (!state.isOver) others.push(await once("return 1"))
  })()
  const gates = Array.from({ length: 20 }, () => Promise.withResolvers<SandboxAnswer>())
  const host = (gate: Promise<SandboxAnswer>): SandboxHost => ({ ...quickHost, call: () => gate })
  const innocents = gates.map((gate) => once("return (await tools.a.b({})).ok", host(gate.promise)))
  await new Promise((next) => setTimeout(next, 50))
  const controller = new AbortController()
  const culprit = sandbox.run({ ...newRun("return new Array(4e9).join('')"), signal: controller.signal }, quickHost)
  await new Promise((next) => setTimeout(next, 50))
  const start = performance.now()
  for (const gate of gates) gate.resolve(answer)
  await Promise.all(innocents)
  const innocentMs = performance.now() - start
  state.isOver = true
  await watching
  controller.abort()
  await culprit
  const seen = `others ${quantile(others, 0.5).toFixed(1)} / ${quantile(others, 0.99).toFixed(0)} ms`
  rows.push([
    "a guest stuck in a built-in",
    "20",
    "",
    `the 20 beside it end after ${innocentMs.toFixed(0)} ms; ${seen}`,
    "",
    "1,410 ms; 1.0 / 15 ms",
  ])
}

async function flat(count: number): Promise<void> {
  const before = rssMegabytes()
  let left = count
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (left-- > 0) await once("const a = await tools.a.b({ left: 1 }); return a.data.name")
    }),
  )
  rows.push([`${count} executions, one call each`, "32", "", `RSS ${before.toFixed(0)} → ${rssMegabytes().toFixed(0)} MiB`, "", ""])
}

const oneCall = "return (await tools.a.b({ i: 1 })).data.id"
const sequential = "for (let i = 0; i < 50; i++) await tools.a.b({ i }); return 1"
const parallel = "await Promise.all(Array.from({ length: 50 }, (_, i) => tools.a.b({ i }))); return 1"

await once("return 1")
rows.push([
  "first result after start",
  "1",
  "",
  `${(performance.now() - startedAt).toFixed(0)} ms, RSS ${rssMegabytes().toFixed(0)} MiB`,
  "",
  "",
])
await load("warming up", "return 1", 16, "")
await load("return 1", "return 1", 1, "3,800/s, 0.24 ms")
await load("return 1", "return 1", 16, "13,250/s, 146 µs")
await load("return 1", "return 1", 64, "18,500/s, 106 µs")
await load("return 1, with types", "const n: number = 1; return n", 16, "")
await load("one call", oneCall, 1, "2,100/s, 0.45 ms")
await load("one call", oneCall, 64, "9,100/s, 217 µs")
await load("50 calls in sequence", sequential, 1, "9 ms")
await load("50 calls in parallel", parallel, 1, "")
await load("50 calls in parallel", parallel, 8, "")
await replayOf(100)
await waiting(500, "153 KiB each, 2.0 ms")
await waiting(4000, "176 KiB each, 1.3 ms")
await stuck()
await flat(Number(process.env["BENCH_FLAT"] ?? 20_000))

table(["case", "at once", "rate", "p50 / p99", "cpu", "prototype"], rows)
process.stdout.write(`${JSON.stringify(sandbox.stats())}\n`)
await sandbox.close()
