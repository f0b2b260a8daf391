// The journal's thread: it alone writes executions of this process, one transaction for each group of jobs.
//
// Waiting for the disk, and for other processes, happens here and never on the thread that serves requests.
import type { MessagePort } from "node:worker_threads"
import { parentPort } from "node:worker_threads"
import type { SqliteConnection } from "../../sqlite-connection.ts"
import { openConnection, unusable } from "../../sqlite-connection.ts"
import type { Statement } from "../../statement.ts"
import { sealBatch } from "../seal.ts"
import type { FromThread, JobAnswer, ThreadJob, ToThread } from "./message.ts"
import { readJobs } from "./message.ts"

if (parentPort) serve(parentPort)

function serve(port: MessagePort): void {
  let opened: { readonly connection: SqliteConnection; readonly path: string } | null = null
  const answer = (message: FromThread): void => port.postMessage(message)

  async function open(path: string, busyMsMax: number): Promise<void> {
    try {
      opened = { connection: await openConnection(path, { busyMsMax }), path }
      answer({ kind: "opened" })
    } catch (error) {
      answer({ kind: "unusable", message: unusable(path, error).message })
    }
  }

  port.on("message", (message: ToThread) => {
    switch (message.kind) {
      case "open":
        void open(message.path, message.busyMsMax)
        return
      case "commit":
        if (!opened) throw new Error("The journal's thread has no database yet")
        answer({ kind: "settled", jobs: commitJobs(readJobs(message.values), opened.connection, opened.path) })
        return
      case "close":
        opened?.connection.close()
        port.close()
    }
  })
}

function commitJobs(jobs: readonly ThreadJob[], connection: SqliteConnection, path: string): JobAnswer[] {
  const allFail = (error: unknown): JobAnswer[] => {
    if (connection.isInTransaction()) connection.change(rollback)
    const { message } = unusable(path, error)
    return jobs.map(() => ({ status: "failed", message }))
  }
  const answers: JobAnswer[] = []
  try {
    connection.change(begin)
  } catch (error) {
    return allFail(error)
  }
  try {
    for (const job of jobs) answers.push({ status: "committed", rows: run(job, connection) })
  } catch (error) {
    const failed = allFail(error)
    // One job that the database refuses must not take the others with it.
    return jobs.length === 1 ? failed : jobs.flatMap((job) => commitJobs([job], connection, path))
  }
  try {
    connection.change(commit)
    return answers
  } catch (error) {
    return allFail(error)
  }
}

function run({ kind, statements }: ThreadJob, connection: SqliteConnection): unknown[][] {
  if (kind === "seal") return [[seal(connection)]]
  if (kind === "statements") return statements.map((statement) => connection.all(statement))
  for (const statement of statements) connection.change(statement)
  return []
}

function seal(connection: SqliteConnection): "more" | "none" {
  const batch = sealBatch("sqlite")
  let step = batch.next()
  while (step.done !== true) step = batch.next(connection.all(step.value))
  return step.value
}

const reused = (sql: string): Statement<unknown> => ({ sql, parameters: [], use: "reused" })
const begin = reused("begin immediate")
const commit = reused("commit")
const rollback = reused("rollback")
