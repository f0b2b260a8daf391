// Large answers that have arrived and wait: over a limit no more of them is read, and over the limit of the journal none is kept.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"

const megabyte = 1024 * 1024
/** More than the sockets between two ends hold. */
const large = JSON.stringify("x".repeat(15 * megabyte))
const calls = 16

const folder = mkdtempSync(join(tmpdir(), "executor-arrived-"))
let executor: Executor
let upstream: Listening
/** Answers that the executor has taken off the upstream's hands and not dealt with, and the most there ever were. */
let held = 0
let heldMost = 0

beforeAll(async () => {
  upstream = await listen(
    createServer((request, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      if (request.url === "/small") return response.end(JSON.stringify("x".repeat(megabyte)))
      return response.write(large, () => {
        held += 1
        heldMost = Math.max(heldMost, held)
        response.end()
      })
    }),
  )
  const operation = (operationId: string) => ({ get: { operationId, responses: {} } })
  const paths = { "/large": operation("large/get"), "/small": operation("small/get") }
  const spec = { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: upstream.url }], paths }
  const limits = { answersArrivedBytesPerPrincipalMax: megabyte, executionJournalBytesMax: 3 * megabyte }
  executor = await createExecutor({ dataDir: folder, limits })
  await executor.integrations.add({ slug: "t", kind: "openapi", config: { spec } })
  await executor.connections.create({ integration: "t" })
})
afterAll(async () => {
  await executor.close()
  await upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

test("they are received one after the other, and none fails", async () => {
  const answered = Array.from({ length: calls }, async () => {
    const run = await executor.run("return (await tools.t.large.get({})).data.length")
    held -= 1
    return run.structured
  })
  for (const structured of await Promise.all(answered)) expect(structured).toMatchObject({ status: "completed", result: 15 * megabyte })
  expect(heldMost).toBeLessThanOrEqual(4)
})

test("calls side by side are answered until the journal is full, and told that they were made", async () => {
  const run = await executor.run(
    "return (await Promise.all(Array.from({ length: 8 }, () => tools.t.small.get({})))).map((answer) => (answer.ok ? 1 : answer.error))",
  )
  const result = run.structured.status === "completed" ? run.structured.result : run.structured
  expect(result).toContain(1)
  expect(result).toContainEqual(expect.objectContaining({ code: "budget_exceeded", message: expect.stringContaining("The call was made") }))
})
