// Search finds tools by meaning where a tenant has set an embedding, and by words alone wherever that fails.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startTestServer } from "../../src/surfaces/http/testing/server.ts"
import type { TestServer } from "../../src/surfaces/http/testing/server.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { startModelServer } from "../servers/model.ts"
import type { ModelFailure } from "../servers/model.ts"
import type { ModelServer } from "../servers/model.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"

const operation = (operationId: string, summary: string) => ({ operationId, summary, responses: { 200: { description: "OK" } } })
const specWith = (paths: object) => ({ openapi: "3.1.0", info: { title: "Laden", version: "1" }, paths })
const paths = {
  "/a": { get: operation("vorgang/storno", "Eine Rechnung stornieren") },
  "/b": { get: operation("vorgang/mahnung", "Eine Mahnung verschicken") },
  "/c": { get: operation("report/list", "List the reports of an account") },
  "/d": { get: operation("report/cancel", "Cancel a scheduled report") },
}
const german = "laden.org.main.vorgang.storno"
const query = "cancel invoice"
const embedding = { provider: "local", model: "words", dimensions: 64 }

let echo: Echo
let model: ModelServer
let server: TestServer
let failure: ModelFailure | undefined
let answer: ((count: number) => unknown) | undefined
const clientOf = (token: string, url = server.url): Client => createClient({ origin: `${url}/api`, token })

async function addShop(client: Client, baseUrl = model.baseUrl): Promise<void> {
  await client.integrations.add({ slug: "laden", name: "Laden", kind: "openapi", config: { spec: specWith(paths), baseUrl: echo.url } })
  await client.connections.create({ integration: "laden" })
  await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl })
}
const pathsOf = async (client: Client, text = query): Promise<string[]> =>
  (await client.tools.search({ query: text })).items.map(({ path }) => path)
const ready = (client: Client) =>
  expect.poll(() => client.toolEmbedding.get(), { timeout: 30_000 }).toMatchObject({ status: "ready", toolsLeft: 0 })

beforeAll(async () => {
  echo = await startEcho()
  model = await startModelServer([], {
    sameWords: { rechnung: "invoice", stornieren: "cancel", storno: "cancel", mahnung: "reminder", eine: "a" },
    failEmbedding: () => failure,
    answerEmbedding: ({ inputs }) =>
      answer === undefined
        ? undefined
        : { object: "list", data: inputs.map((_, index) => ({ object: "embedding", index, embedding: answer?.(inputs.length) })) },
  })
  server = await startTestServer({ limits: { pipelineRetryMs: 200, toolEmbedMs: 3000 } })
  for (const name of ["human", "stranger"] as const) await addShop(clientOf(server.tokens[name]))
})
afterAll(async () => {
  await server.close()
  await model.close()
  await echo.close()
})

test("a German tool is found by an English request, only with an embedding, in its tenant, where it may be seen", async () => {
  const [human, agent, stranger] = [clientOf(server.tokens.human), clientOf(server.tokens.agent), clientOf(server.tokens.stranger)]
  expect(await human.toolEmbedding.get()).toEqual({ embedding: null, status: "off", toolsLeft: 0, error: null })
  expect(await pathsOf(human)).not.toContain(german)
  expect(await human.tools.search({ query })).not.toHaveProperty("degraded")
  expect(model.embeddings).toHaveLength(0)

  for (const as of [agent, clientOf(server.tokens.member)])
    await expect(as.toolEmbedding.set(embedding)).rejects.toMatchObject({ code: "forbidden" })
  await expect(human.toolEmbedding.set({ ...embedding, provider: "none" })).rejects.toMatchObject({ code: "invalid_request" })
  await expect(human.toolEmbedding.set({ ...embedding, dimensions: 0 })).rejects.toMatchObject({ code: "invalid_request" })
  await human.toolEmbedding.set(embedding)
  await ready(human)
  const page = await agent.tools.search({ query, explain: true })
  expect(page).not.toHaveProperty("degraded")
  const hit = page.items.find(({ path }) => path === german)
  expect(page.items.findIndex(({ path }) => path === german)).toBeLessThan(2)
  expect(hit).toMatchObject({ description: "Eine Rechnung stornieren", explanation: { words: [], meaning: { place: 1 } } })
  // An exact path keeps its place, and so does every page of the rest.
  expect((await pathsOf(agent, "laden.org.main.report.list"))[0]).toBe("laden.org.main.report.list")
  const first = await human.tools.search({ query, limit: 2 })
  const next = await human.tools.search({ query, limit: 2, offset: first.nextOffset ?? 0 })
  expect(new Set([...first.items, ...next.items].map(({ path }) => path)).size).toBe(first.items.length + next.items.length)
  expect((await human.tools.search({ query, namespace: "laden.report" })).items.map(({ path }) => path)).not.toContain(german)

  // Nothing more is asked for what was asked before, and nothing of another tenant.
  const asked = model.embeddings.length
  await agent.tools.search({ query })
  expect(await pathsOf(stranger)).not.toContain(german)
  expect(await stranger.toolEmbedding.get()).toMatchObject({ status: "off" })
  expect(model.embeddings).toHaveLength(asked)

  const { id } = await human.policies.create({ owner: "org", pattern: "laden.*.*.vorgang.*", action: "block" })
  expect(await pathsOf(agent)).not.toContain(german)
  await human.policies.remove(id)
  expect(await pathsOf(agent)).toContain(german)

  // A changed tool is embedded again, and the others are not.
  const texts = (): string[] => model.embeddings.flatMap(({ inputs }) => [...inputs])
  const before = texts().length
  const changed = specWith({ ...paths, "/b": { get: operation("vorgang/mahnung", "Eine Mahnung per Post verschicken") } })
  await human.integrations.update("laden", { config: { spec: changed, baseUrl: echo.url } })
  await human.connections.refresh({ integration: "laden", owner: "org", name: "main" })
  await expect
    .poll(async () => [(await human.toolEmbedding.get()).status, ...texts().slice(before)], { timeout: 30_000 })
    .toEqual(["ready", expect.stringContaining("per Post")])
  const actions = (await human.audit.list({ limit: 100 })).items.map(({ action }) => action)
  expect(actions).toContain("tools.embedding.set")
})

test("an endpoint that fails, lies or hangs leaves the answer by words, which says so", async () => {
  const human = clientOf(server.tokens.human)
  await human.toolEmbedding.set(embedding)
  await ready(human)
  let number = 0
  /** Not what was asked before, and asked once the pause after the last failure is over. */
  const degraded = async (): Promise<unknown> => (await human.tools.search({ query: `cancel a report ${(number += 1)}` })).degraded
  const hostile: readonly (readonly [string, typeof failure, typeof answer])[] = [
    ["down", { fail: "status", status: 401, message: "no" }, undefined],
    ["hangs", { fail: "hang" }, undefined],
    ["wrong dimensions", undefined, () => [1, 2, 3]],
    ["no numbers", undefined, () => Array.from({ length: 64 }, () => "x")],
    ["endless", undefined, () => Array.from({ length: 64 }, () => 1e308)],
    ["huge", undefined, () => Array.from({ length: 200_000 }, () => 0.1)],
  ]
  for (const [name, fails, answers] of hostile) {
    failure = fails
    answer = answers
    // Another embedding: nothing is kept of the one before, neither vectors nor a pause.
    await human.toolEmbedding.remove()
    await human.toolEmbedding.set(embedding)
    expect([name, await degraded()]).toEqual([name, "embeddings_unavailable"])
    expect(await pathsOf(human, "cancel a report")).toContain("laden.org.main.report.cancel")
    if (name !== "hangs")
      await expect.poll(async () => [name, (await human.toolEmbedding.get()).status], { timeout: 30_000 }).toEqual([name, "retrying"])
  }
  const { error } = await human.toolEmbedding.get()
  expect(error).toContain("dimensions")
  failure = answer = undefined
  // It is tried again by itself.
  await ready(human)
  expect((await human.toolEmbedding.get()).error).toBeNull()
  await human.toolEmbedding.remove()
  expect(await human.tools.search({ query })).not.toHaveProperty("degraded")
  expect(await pathsOf(human)).not.toContain(german)
})

test.each(["sqlite", "postgresql"] as const)("on %s a restart embeds no tool again", async (database) => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-meaning-"))
  const env: Record<string, string> = { EXECUTOR_LIMITS: JSON.stringify({ toolEmbedMs: 10_000 }) }
  if (database === "postgresql") {
    env["EXECUTOR_DATABASE_URL"] = await (await sharedPostgres()).createDatabase()
    env["EXECUTOR_SECRET_KEY"] = "a key for the tests of meaning"
  }
  const before = await startProduct({ dataDir, env })
  await addShop(before.client)
  await before.client.toolEmbedding.set(embedding)
  await ready(before.client)
  expect(await pathsOf(before.client)).toContain(german)
  await before.kill("SIGKILL")
  const asked = model.embeddings.length
  const after = await startProduct({ dataDir, env })
  await ready(after.client)
  expect(await pathsOf(after.client)).toContain(german)
  // Requests alone, whose vectors are kept in memory: texts of tools have several lines.
  const texts = model.embeddings.slice(asked).flatMap(({ inputs }) => [...inputs])
  expect(texts).toContain(query)
  expect(texts.filter((text) => text.includes("\n"))).toEqual([])
  await after.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
