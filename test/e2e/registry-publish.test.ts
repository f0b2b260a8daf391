// Two processes change one tool at once, on both databases: each change has one version or one conflict, and none is lost.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Client } from "../../src/surfaces/client/index.ts"
import { openRows } from "../servers/database-rows.ts"
import type { DatabaseRows } from "../servers/database-rows.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { checkRegistryRows } from "./registry-rows.ts"

const rounds = 8

describe.each(["SQLite", "PostgreSQL"])("two processes on %s", (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-"))
  const products: Product[] = []
  let first: Client
  let last: Client
  let rows: DatabaseRows
  beforeAll(async () => {
    const databaseUrl = kind === "SQLite" ? null : await (await sharedPostgres()).createDatabase()
    const env: Record<string, string> =
      databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }
    for (let count = 0; count < 2; count += 1) products.push(await startProduct({ env, dataDir }))
    ;[first, last] = products.map(({ client }) => client) as [Client, Client] // two were started
    rows = await openRows(dataDir, databaseUrl)
  })
  afterAll(async () => {
    await rows.close()
    for (const product of products) await product.kill("SIGTERM")
    rmSync(dataDir, { recursive: true, force: true })
  })

  const codeOf = (marker: string) => ({ implementationConfig: { code: `return ${JSON.stringify(marker)}` } })
  async function make(slug: string): Promise<string> {
    const schema = { input: { type: "object" } }
    const { id } = await first.registry.create({
      name: slug,
      slug,
      description: "",
      schema,
      implementationType: "custom",
      ...codeOf("made"),
    })
    await first.registry.publish(id)
    return id
  }
  const markersOf = async (id: string): Promise<string[]> => {
    const { items } = await last.registry.versions(id, { limit: 1000 })
    return items.map(({ schemaSnapshot }) => markerIn(schemaSnapshot.configSchema))
  }
  const markerIn = (config: unknown): string => /return \\"([^"\\]+)/.exec(JSON.stringify(config))?.[1] ?? ""

  /** Both processes run what is published, whoever published it. */
  async function checkRuns(slug: string, marker: string): Promise<void> {
    for (const client of [first, last])
      expect(await client.run(`return await tools.registry.${slug}({}).unwrap()`)).toMatchObject({ structured: { result: marker } })
    await checkRegistryRows(rows)
  }

  test("two publishes at once give one version each or one conflict, never a lost one", async () => {
    const id = await make("weather")
    const publish = () => Promise.all([first, last].map(async ({ registry }) => (await registry.publish(id)).publishedVersion))
    await first.registry.update(id, codeOf("once"))
    expect(await publish()).toEqual(["1.0.1", "1.0.1"])
    const versions = [first, last].map(({ registry }) => registry.version(id, "2.0.0").then(({ version }) => version))
    const settled = await Promise.allSettled(versions)
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
    expect(settled.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } })
    const writers = Array.from({ length: 12 }, async (_unused, at) => {
      const { registry } = at % 2 === 0 ? first : last
      await registry.update(id, codeOf(`writer ${at}`))
      return (await registry.publish(id, { reason: `writer ${at}` })).publishedVersion
    })
    await Promise.all(writers)
    const all = (await first.registry.versions(id, { limit: 100 })).items
    expect(new Set(all.map(({ version }) => version)).size).toBe(all.length)
    const tool = await last.registry.get(id)
    expect(all[0]).toMatchObject({ version: tool.version, isPublished: true })
    expect(tool).toMatchObject({ publishedVersion: tool.version, hasUnpublishedChanges: false })
    await checkRuns("weather", markerIn(tool.configSchema))
  })

  test("a publish at the same time as an edit takes the copy before or after it, and the edit stays", async () => {
    const id = await make("edited")
    for (let round = 0; round < rounds; round += 1) {
      await first.registry.update(id, codeOf(`old ${round}`))
      const [published] = await Promise.all([first.registry.publish(id), last.registry.update(id, codeOf(`new ${round}`))])
      const tool = await first.registry.get(id)
      expect(markerIn(tool.configSchema)).toBe(`new ${round}`)
      const { schemaSnapshot } = await last.registry.versionOf(id, tool.publishedVersion ?? "none")
      const runs = markerIn(schemaSnapshot.configSchema)
      expect([`old ${round}`, `new ${round}`]).toContain(runs)
      expect(tool).toMatchObject({ publishedVersion: published.publishedVersion, hasUnpublishedChanges: runs !== `new ${round}` })
      await checkRuns("edited", runs)
    }
  })

  test("a publish at the same time as a rollback gives a version each, and what came last runs", async () => {
    const id = await make("rolled")
    for (let round = 0; round < rounds; round += 1) {
      await first.registry.update(id, codeOf(`before ${round}`))
      await first.registry.publish(id)
      await last.registry.update(id, codeOf(`edit ${round}`))
      const count = (await markersOf(id)).length
      const [published, rolled] = await Promise.all([first.registry.publish(id), last.registry.rollback(id, "1.0.0")])
      expect(published.publishedVersion).not.toBe(rolled.publishedVersion)
      const markers = await markersOf(id)
      expect(markers.length).toBe(count + 2)
      expect(markers.slice(0, 2).toSorted()).toEqual([`edit ${round}`, "made"])
      await checkRuns("rolled", markers[0] ?? "")
    }
  })

  test("a publish at the same time as a change of its artifact pins the version before or after it, with its code", async () => {
    const artifact = await first.artifacts.create({ name: "Answer", inputs: [], code: `return "code 1"` })
    const input = { name: "Artifact", description: "", schema: { input: { type: "object" } }, implementationType: "artifact" }
    const { id } = await first.registry.create({ ...input, artifactId: artifact.id })
    for (let round = 2; round < rounds + 2; round += 1) {
      await first.registry.update(id, { artifactVersion: null })
      const [published, changed] = await Promise.all([
        first.registry.publish(id),
        last.artifacts.update(artifact.id, { code: `return "code ${round}"` }),
      ])
      expect(changed.version).toBe(String(round))
      expect([String(round - 1), String(round)]).toContain(published.artifactVersion)
      await checkRuns("artifact", `code ${published.artifactVersion}`)
    }
    expect((await last.artifacts.versions(artifact.id)).items.map(({ version }) => Number(version))).toEqual(
      Array.from({ length: rounds + 1 }, (_, at) => rounds + 1 - at),
    )
  })
})
