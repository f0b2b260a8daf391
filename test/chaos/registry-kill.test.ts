// The registry survives kill -9 under a publish, a version, a rollback and a nested write: no half version, nothing twice.
//
// Four clients work without a pause, each with a tool of its own, until the server is gone. After every restart the rows,
// the catalog, and what runs must agree with each other and with every answer that a client got.
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startProduct } from "../e2e/product.ts"
import { checkRegistryRows } from "../e2e/registry-rows.ts"
import { openRows } from "../servers/database-rows.ts"
import type { Row } from "../servers/database-rows.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"

const isFull = process.env["EXECUTOR_CHAOS_FULL"] !== undefined
const rounds = isFull ? 50 : 3
let ledger: Ledger
beforeAll(async () => void (ledger = await startLedger()))
afterAll(() => ledger.close())

const slugs = ["published", "versioned", "rolled"] as const
type Slug = (typeof slugs)[number]

/** What the clients know. */
type Known = {
  readonly ids: Readonly<Record<Slug, string>>
  /** Versions that the server has answered with; the marker is what the version's tool reads. */
  readonly answered: { readonly slug: Slug; readonly version: string; readonly marker: string }[]
  readonly sent: Record<string, number>
  /** What was sent and has no answer. */
  readonly underWay: Set<string>
  /** Whatever a client was told instead of an answer. */
  readonly refused: string[]
  markers: number
}

/** A tool that reads the item of this name, with a secret of its own. */
const configOf = (marker: string) => ({ method: "GET", url: `${ledger.url}/items/${marker}`, headers: { "x-api-key": `key of ${marker}` } })

const work = `
  const answers = await Promise.all(["a", "b"].map((part) => tools.ledger.items.create({ name: input.id + "-" + part, delay: 15 })))
  return answers.map((one) => (one.ok ? "done" : one.error.code))`

test.each(["sqlite", "postgresql"] as const)(
  `${rounds} rounds on %s`,
  async (kind) => {
    const dataDir = mkdtempSync(join(tmpdir(), "executor-chaos-"))
    const databaseUrl = kind === "sqlite" ? null : await (await sharedPostgres()).createDatabase()
    const env = {
      EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600 }),
      ...(databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl, EXECUTOR_SECRET_KEY: "a key for the chaos test only" }),
    }
    let product = await startProduct({ dataDir, env })
    const known = await prepare(product.client)
    const rows = await openRows(dataDir, databaseUrl)
    onTestFinished(async () => {
      await rows.close()
      await product.stop()
    })
    const killedUnder: Record<string, number> = {}
    for (let round = 0; round < rounds; round += 1) {
      const before = known.answered.length
      const clients = startClients(product.client, known, `${kind}-${round}`)
      await untilAnswered(known, before + (round % 5))
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 9))
      for (const what of known.underWay) killedUnder[what] = (killedUnder[what] ?? 0) + 1
      await product.kill("SIGKILL")
      await clients
      expect(known.refused).toEqual([])
      product = await startProduct({ dataDir, env })
      checkVersions(await checkRegistryRows(rows), known)
      await checkCatalog(product.client, known)
    }
    const nested = await untilAllEnd(product.client, kind)
    if (isFull) console.log(kind, { rounds, killedUnder, sent: known.sent, answered: known.answered.length, nested })
  },
  1_800_000,
)

async function prepare(client: Client): Promise<Known> {
  await client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
  await client.policies.create({ owner: "org", pattern: "ledger.**", action: "allow" })
  const schema = { input: { type: "object", properties: { id: { type: "string" } } } }
  const common = { description: "A tool", schema }
  const made = await client.registry.create({ ...common, name: "Work", implementationType: "custom", implementationConfig: { code: work } })
  await client.registry.publish(made.id)
  const ids: Partial<Record<Slug, string>> = {}
  for (const slug of slugs) {
    const input = { ...common, name: slug, slug, implementationType: "http", implementationConfig: configOf("first") }
    ids[slug] = (await client.registry.create(input)).id
    await client.registry.publish(ids[slug])
  }
  await client.registry.update(ids.rolled ?? "", { implementationConfig: configOf("second") })
  await client.registry.publish(ids.rolled ?? "")
  return { ids: ids as Known["ids"], answered: [], sent: {}, underWay: new Set(), refused: [], markers: 0 } // all of them were set
}

/** Each works until the server is gone. */
async function startClients(client: Client, known: Known, prefix: string): Promise<void> {
  const { ids, answered } = known
  const { meet, dismiss } = createMeeting(slugs.length)
  const { registry } = client
  const edit = async (slug: Slug): Promise<string> => {
    known.markers += 1
    const marker = `marker-${known.markers}`
    await registry.update(ids[slug], { implementationConfig: configOf(marker) })
    return marker
  }
  const works: Readonly<Record<string, (at: number, send: Send) => Promise<void>>> = {
    async publish(_at, send) {
      const marker = await edit("published")
      await meet()
      const { publishedVersion } = await send(() => registry.publish(ids.published))
      answered.push({ slug: "published", version: publishedVersion ?? "none", marker })
    },
    async version(_at, send) {
      const marker = await edit("versioned")
      await meet()
      const { version } = await send(() => registry.version(ids.versioned, `2.0.${known.markers}`))
      answered.push({ slug: "versioned", version, marker })
    },
    async rollback(_at, send) {
      const runs = JSON.stringify((await registry.get(ids.rolled)).configSchema)
      const [version, marker] = runs.includes("/second") ? (["1.0.0", "first"] as const) : (["1.0.1", "second"] as const)
      await meet()
      const { publishedVersion } = await send(() => registry.rollback(ids.rolled, version))
      answered.push({ slug: "rolled", version: publishedVersion ?? "none", marker })
    },
    async "nested write"(at, send) {
      await send(() => client.run(`return await tools.registry.work({ id: "${prefix}-${at}" }).unwrap()`))
    },
  }
  await Promise.all(Object.entries(works).map(([what, one]) => untilGone(what, one, known).finally(dismiss)))
}

type Send = <Value>(request: () => Promise<Value>) => Promise<Value>

async function untilGone(what: string, one: (at: number, send: Send) => Promise<void>, { underWay, sent, refused }: Known): Promise<void> {
  const send: Send = async (request) => {
    sent[what] = (sent[what] ?? 0) + 1
    underWay.add(what)
    return request().finally(() => underWay.delete(what))
  }
  try {
    for (let at = 0; ; at += 1) await one(at, send)
  } catch (error) {
    // Nothing but the end of the server stops a client.
    if (!/No server is responding|without JSON/.test(String(error))) refused.push(`${what}: ${String(error)}`)
  }
}

/** Everybody waits for the others, so that what they do next is under way at the same time. */
function createMeeting(count: number): { meet(): Promise<void>; dismiss(): void } {
  let waiting: (() => void)[] = []
  let isOver = false
  const dismiss = (): void => {
    const all = waiting
    waiting = []
    for (const go of all) go()
  }
  return {
    meet: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        if (isOver || waiting.length === count) dismiss()
      }),
    dismiss() {
      isOver = true
      dismiss()
    },
  }
}

/** So many answers, and then at least one more request about versions: in the middle of the work, however fast the machine is. */
async function untilAnswered({ answered, underWay }: Known, count: number): Promise<void> {
  const deadline = Date.now() + 60_000
  const isReached = (): boolean => answered.length >= count && ["publish", "version", "rollback"].some((what) => underWay.has(what))
  while (!isReached() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** With every answer that a client got, and nothing twice. */
function checkVersions(versions: readonly Row[], { ids, answered, sent }: Known): void {
  const markersOf = (slug: Slug) =>
    versions.filter((row) => row["tool_id"] === ids[slug]).map((row) => [row["version"], markerIn(String(row["schema_snapshot"]))] as const)
  for (const { slug, version, marker } of answered) expect(markersOf(slug)).toContainEqual([version, marker])
  for (const slug of ["published", "versioned"] as const) {
    const markers = markersOf(slug).map(([, marker]) => marker)
    expect(new Set(markers).size).toBe(markers.length)
  }
  expect(markersOf("rolled").length).toBeLessThanOrEqual(2 + (sent["rollback"] ?? 0))
}

const markerIn = (text: string): string => /\/items\/([^"]+)"/.exec(text)?.[1] ?? ""

/** What the API shows is what runs. */
async function checkCatalog(client: Client, { ids }: Known): Promise<void> {
  for (const slug of slugs) {
    const tool = await client.registry.get(ids[slug])
    const { schemaSnapshot } = await client.registry.versionOf(ids[slug], tool.publishedVersion ?? "none")
    const ran = await client.run(`return await tools.registry.${slug}({}).unwrap()`)
    expect(ran).toMatchObject({ structured: { result: { name: markerIn(JSON.stringify(schemaSnapshot)) } } })
  }
}

/** Every nested write happened at most once; where its tool does not know, it says so. */
async function untilAllEnd(client: Client, prefix: string): Promise<Record<string, number>> {
  const ended = ["completed", "failed"]
  const list = async () => (await client.executions.list({ limit: 1000 })).items
  await expect.poll(async () => (await list()).filter(({ status }) => !ended.includes(status)).length, { timeout: 120_000 }).toBe(0)
  const counts: Record<string, number> = {}
  const happened = new Map<string, number>()
  for (const { method, name } of ledger.entries) if (method === "POST") happened.set(name, (happened.get(name) ?? 0) + 1)
  for (const [name, count] of happened) expect({ name, count }).toEqual({ name, count: 1 })
  for (const { executionId } of await list()) {
    const { code, status, structured } = await client.executions.get(executionId)
    const id = /id: "([^"]+)"/.exec(code)?.[1]
    if (id === undefined || !id.startsWith(prefix)) continue
    expect({ id, status, structured }).toMatchObject({
      status: "completed",
      structured: { result: [expect.any(String), expect.any(String)] },
    })
    const { result } = structured as { result: string[] } // checked above
    result.forEach((said, at) => {
      expect(["done", "outcome_unknown"]).toContain(said)
      if (said === "done") expect({ id, happened: happened.get(`${id}-${"ab"[at]}`) }).toEqual({ id, happened: 1 })
      counts[said] = (counts[said] ?? 0) + 1
    })
  }
  return counts
}
