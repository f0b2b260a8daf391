// A real PostgreSQL for tests: one cluster, and an empty database for whoever asks.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Client } from "pg"
import { inject } from "vitest"

export type Postgres = {
  /** The maintenance database of the cluster. */
  readonly url: string
  /** Answers the URL of a new and empty database. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
}

declare module "vitest" {
  interface ProvidedContext {
    /** Where `test/global-postgres.ts` answers with the URL of the run's one cluster. */
    postgresDoor: string
  }
}

const program = fileURLToPath(new URL("postgres-process.ts", import.meta.url))

export async function startPostgres(): Promise<Postgres> {
  const keeper = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"] })
  let complaints = ""
  keeper.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString()))
  const ended = once(keeper, "exit")
  const firstLine = once(createInterface(keeper.stdout), "line").then(([line]) => String(line))
  const url = await Promise.race([firstLine, ended.then(() => null)])
  if (url === null) throw new Error(`PostgreSQL did not start:\n${complaints}`)
  return {
    url,
    createDatabase: () => createDatabase(url),
    async stop() {
      keeper.stdin.end()
      await ended
    },
  }
}

/** The cluster that all test files of a run share; a run without the global setup starts one for this file. */
export async function sharedPostgres(): Promise<Postgres> {
  const door: string | undefined = inject("postgresDoor")
  if (door === undefined) return startPostgres()
  const answer = await fetch(door)
  const url = await answer.text()
  if (!answer.ok) throw new Error(url)
  return { url, createDatabase: () => createDatabase(url), stop: async () => {} }
}

async function createDatabase(maintenanceUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`
  const client = new Client({ connectionString: maintenanceUrl })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  const url = new URL(maintenanceUrl)
  url.pathname = `/${name}`
  return url.href
}
