// Vitest's global setup for PostgreSQL: one cluster for the whole run, started when the first test file asks for it.
import { createServer } from "node:http"
import type { TestProject } from "vitest/node"
import type { Postgres } from "./servers/postgres.ts"

/** Setup runs apart from the test files, so that they ask over a loopback port; a run that needs no database pays nothing. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let cluster: Promise<Postgres> | null = null
  const door = createServer((_request, response) => {
    cluster ??= start()
    cluster.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve))
  const address = door.address()
  if (address === null || typeof address === "string") throw new Error("A listening TCP server has a port")
  project.provide("postgresDoor", `http://127.0.0.1:${address.port}/`)

  return async function teardown() {
    await new Promise((resolve) => door.close(resolve))
    const started = await cluster?.catch(() => null)
    await started?.stop()
  }
}

async function start(): Promise<Postgres> {
  const { startPostgres } = await import("./servers/postgres.ts")
  return startPostgres()
}
