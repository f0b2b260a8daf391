// Durable writes: a call before it starts and its answer after, each awaited, committed alone and in groups, on both databases.
//
// The baseline commits every append on its own: on SQLite in the main thread, on PostgreSQL on eight connections. On
// this path the disk decides, so that only the ratios of one run say something.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Pool } from "pg"
import type { JournalRecord, JournalRows } from "../src/store/execution-store.ts"
import { commitRecords } from "../src/store/executions/postgres/commit.ts"
import { laneCount, postgresExecutions } from "../src/store/executions/postgres/executions.ts"
import { sqliteExecutions } from "../src/store/executions/sqlite/executions.ts"
import { readJobs, writeJobs } from "../src/store/executions/sqlite/message.ts"
import { startJournalThread } from "../src/store/executions/sqlite/thread.ts"
import { callRow, doneCall, executionRow, newScope } from "../src/store/executions/testing/samples.ts"
import { openPostgresStore } from "../src/store/postgres.ts"
import { openConnection } from "../src/store/sqlite-connection.ts"
import { openSqliteStore } from "../src/store/sqlite.ts"
import type { Statement } from "../src/store/statement.ts"
import { quantile, table } from "./measure.ts"

const msPerCase = Number(process.env["BENCH_MS"] ?? 1500)
const rounds = 2
const writerCounts = [1, 16, 64]

type Way = { readonly name: string; readonly append: JournalRows["append"]; commits(): number }
type Measured = { perSecond: number; p50: number; p99: number; cpuUs: number; commitsPerWrite: number }

const scope = newScope()
const answerJson = JSON.stringify({ ok: true, data: { id: 1, name: "thing", tags: ["a", "b"], body: "x".repeat(300) } })

async function write({ append }: Way): Promise<void> {
  const execution = executionRow(scope)
  const call = callRow(execution)
  await append(
    [
      { kind: "execution", row: execution },
      { kind: "call", row: call },
    ],
    "now",
  )
  await append([{ kind: "call", row: doneCall(execution, { answerJson }) }], "now")
}

async function measure(way: Way, writers: number): Promise<Measured> {
  const times: number[] = []
  const commits = way.commits()
  const cpu = process.cpuUsage()
  const start = performance.now()
  const work = async (): Promise<void> => {
    for (let now = start; now < start + msPerCase;) {
      const begun = performance.now()
      await write(way)
      now = performance.now()
      times.push(now - begun)
    }
  }
  await Promise.all(Array.from({ length: writers }, work))
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: (times.length * 1000) / (performance.now() - start),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpuUs: (user + system) / times.length,
    commitsPerWrite: (way.commits() - commits) / times.length,
  }
}

async function compare(store: string, baseline: Way, grouped: Way): Promise<void> {
  const best = new Map<string, Measured>()
  for (let round = 0; round < rounds; round += 1) {
    for (const writers of writerCounts) {
      for (const way of [baseline, grouped]) {
        const measured = await measure(way, writers)
        const key = `${way.name}|${writers}`
        if (measured.perSecond > (best.get(key)?.perSecond ?? 0)) best.set(key, measured)
      }
    }
  }
  const row = (way: Way, writers: number): string[] => {
    const one = best.get(`${way.name}|${writers}`)
    const against = best.get(`${baseline.name}|${writers}`)
    if (!one || !against) throw new Error("Every case was measured")
    const latency = `${one.p50.toFixed(1)} / ${one.p99.toFixed(1)}`
    const ratio = (one.perSecond / against.perSecond).toFixed(2)
    return [
      store,
      String(writers),
      way.name,
      one.perSecond.toFixed(0),
      latency,
      one.cpuUs.toFixed(0),
      one.commitsPerWrite.toFixed(2),
      ratio,
    ]
  }
  const rows = writerCounts.flatMap((writers) => [row(baseline, writers), row(grouped, writers)])
  table(["store", "writers", "commits", "writes/s", "p50 / p99 ms", "cpu µs", "commits per write", "× baseline"], rows)
}

/** The journal reads nothing while it writes. */
const noReads = { all: () => Promise.resolve([]), atomic: () => Promise.reject(new Error("Nothing is changed but the journal")) }

async function benchSqlite(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "executor-bench-"))
  const path = join(directory, "executor.db")
  const store = await openSqliteStore({ path })
  const connection = await openConnection(path)
  const thread = startJournalThread({ path, busyMsMax: 30_000 })
  await thread.open()
  const counts = { baseline: 0, grouped: 0 }
  const text = (sql: string): Statement<unknown> => ({ sql, parameters: [], use: "reused" })
  const alone = async (records: readonly JournalRecord[]): Promise<void> => {
    counts.baseline += 1
    connection.change(text("begin immediate"))
    for (const job of readJobs(writeJobs([{ kind: "records", records }]))) for (const step of job.statements) connection.change(step)
    connection.change(text("commit"))
  }
  const executions = sqliteExecutions(noReads, {
    ...thread,
    commit: (jobs) => {
      counts.grouped += 1
      return thread.commit(jobs)
    },
  })
  await compare(
    "SQLite",
    { name: "one for each append", append: alone, commits: () => counts.baseline },
    { name: "groups", append: executions.journal.append, commits: () => counts.grouped },
  )
  await executions.close()
  connection.close()
  await store.close()
  rmSync(directory, { recursive: true })
}

async function benchPostgres(): Promise<void> {
  const program = fileURLToPath(new URL("../test/servers/postgres-process.ts", import.meta.url))
  const keeper = spawn(process.execPath, [program, "--durable"], { stdio: ["pipe", "pipe", "inherit"] })
  const [line] = (await once(createInterface(keeper.stdout), "line")) as [string] // it prints its URL first
  const store = await openPostgresStore({ url: line })
  const pools = { baseline: new Pool({ connectionString: line, max: 8 }), grouped: new Pool({ connectionString: line, max: laneCount }) }
  const counts = { baseline: 0, grouped: 0 }
  const change = async (kind: keyof typeof pools, { sql, parameters }: Statement<unknown>): Promise<unknown[]> => {
    counts[kind] += 1
    const { rows } = await pools[kind].query({ name: String(sql.length), text: sql, values: [...parameters] })
    return rows as unknown[]
  }
  const alone = async (records: readonly JournalRecord[]): Promise<void> => {
    await commitRecords([records], (statement) => change("baseline", statement))
  }
  const executions = postgresExecutions({
    session: noReads,
    change: (statement) => change("grouped", statement),
    lanes: { change: (statement) => change("grouped", statement), close: () => pools.grouped.end() },
    signals: { notify: async () => {}, listen: () => () => {} },
    broadcasts: { send: async () => {}, listen: async () => () => {} },
  })
  await compare(
    "PostgreSQL",
    { name: "one for each append", append: alone, commits: () => counts.baseline },
    { name: "groups", append: executions.journal.append, commits: () => counts.grouped },
  )
  await executions.close()
  await pools.baseline.end()
  await store.close()
  keeper.stdin.end()
  await once(keeper, "exit")
}

if (process.argv[2] !== "postgres") await benchSqlite()
if (process.argv[2] !== "sqlite") await benchPostgres()
