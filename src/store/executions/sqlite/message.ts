// What the main thread and the journal's thread say to each other: flat values, because those cross cheaply.
import type { JournalRecord } from "../../execution-store.ts"
import type { Statement } from "../../statement.ts"
import type { Value } from "./statements.ts"
import { readRecord, writeRecord } from "./statements.ts"

/** What is kept or dropped together: records of a journal, or statements whose rows somebody waits for. */
export type Job =
  | { readonly kind: "records"; readonly records: readonly JournalRecord[] }
  | { readonly kind: "statements"; readonly statements: readonly Statement<unknown>[] }
  /** One batch of the audit's entries. */
  | { readonly kind: "seal" }

export type ToThread =
  | { readonly kind: "open"; readonly path: string; readonly busyMsMax: number }
  | { readonly kind: "commit"; readonly values: readonly Value[] }
  | { readonly kind: "close" }

export type JobAnswer =
  /** The rows of each statement; nothing for records; whether there is more to seal. */
  { readonly status: "committed"; readonly rows: readonly (readonly unknown[])[] } | { readonly status: "failed"; readonly message: string }

/** Answers to `open` and `commit`, in the order of what was asked. */
export type FromThread =
  | { readonly kind: "opened" }
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "settled"; readonly jobs: readonly JobAnswer[] }

const jobKinds = ["records", "statements", "seal"] as const

export function writeJobs(jobs: readonly Job[]): Value[] {
  const values: Value[] = []
  for (const job of jobs) {
    values.push(jobKinds.indexOf(job.kind))
    if (job.kind === "records") {
      values.push(job.records.length)
      for (const record of job.records) writeRecord(record, values)
    } else if (job.kind === "seal") {
      values.push(0)
    } else {
      values.push(job.statements.length)
      // Compiled statements hold what the table types name: text, numbers, bytes and null.
      for (const { use, sql, parameters } of job.statements) values.push(use, sql, parameters.length, ...(parameters as Value[]))
    }
  }
  return values
}

export type ThreadJob = { readonly kind: Job["kind"]; readonly statements: readonly Statement<unknown>[] }

/** The inverse, in the thread. */
export function readJobs(values: readonly Value[]): ThreadJob[] {
  const jobs: ThreadJob[] = []
  let position = 0
  while (position < values.length) {
    const kind = jobKinds[Number(values[position])] ?? "records"
    const statements: Statement<unknown>[] = []
    const count = Number(values[position + 1])
    position += 2
    for (let index = 0; index < count; index += 1) {
      const { statement, end } = kind === "records" ? readRecord(values, position) : readStatement(values, position)
      statements.push(statement)
      position = end
    }
    jobs.push({ kind, statements })
  }
  return jobs
}

function readStatement(values: readonly Value[], start: number): { readonly statement: Statement<unknown>; readonly end: number } {
  const end = start + 3 + Number(values[start + 2])
  const use = values[start] === "once" ? "once" : "reused"
  return { statement: { use, sql: String(values[start + 1]), parameters: values.slice(start + 3, end) }, end }
}
