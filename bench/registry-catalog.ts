// Two tenants with as many tools each: one has imported them, the other has made them.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExecutorApi } from "../src/core/executor-api.ts"
import type { Principal, Scope } from "../src/core/principal.ts"
import { silentLog } from "../src/io/log.ts"
import { readSettings } from "../src/local/settings.ts"
import { openProduct } from "../src/preset/product.ts"
import { registryToolRow } from "../src/store/testing/registry.ts"
import { connectionRow, ensureUser, integrationRow, toolSet, userRow } from "../src/store/testing/samples.ts"

/** As members see them, and as editors do, who see working copies. */
export type Catalogs = Record<"imported" | "registry", Record<"member" | "editor", ExecutorApi>> & { close(): Promise<void> }

const verbs = ["list", "get", "create", "update", "delete"]
const nouns = ["issues", "orders", "invoices", "people", "teams", "files", "messages", "events", "reports", "labels"]

export async function openCatalogs(count: number): Promise<Catalogs> {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-registry-"))
  const options = {
    isLoopbackOnly: true,
    startsWarm: false,
    log: silentLog,
    approvalUrl: () => null,
    pagesUrl: () => null,
    publicUrl: () => null,
  }
  const product = await openProduct(readSettings({ EXECUTOR_DATA_DIR: dataDir }), options)
  const { store } = product
  const names = Array.from(
    { length: count },
    (_, number) => `${verbs[number % 5] ?? ""}_${nouns[Math.floor(number / 5) % 10] ?? ""}_area${Math.floor(number / 50)}`,
  )

  const person = async (tenant: string, user: string, role: string): Promise<Principal> => {
    await ensureUser(store, { tenant, user })
    await store.users.put(userRow({ tenant, user }, { roles: [{ role, from: "given" }] }))
    return { tenant, user, roles: [role], rights: role === "admin" ? ["admin"] : [], kind: "human", tokenId: null }
  }
  const people = async (tenant: string) => ({
    member: product.core.as(await person(tenant, "alice", "member")),
    editor: product.core.as(await person(tenant, "bob", "admin")),
  })
  const connect = async (scope: Scope, slug: string, kind: "openapi" | "registry"): Promise<void> => {
    const at = new Date().toISOString()
    await store.toolSets.put(scope, toolSet(`set_${slug}`, names, {}))
    await store.integrations.put(scope, integrationRow(slug, { kind, toolSetId: `set_${slug}`, toolSetSyncedAt: at, configRevisedAt: at }))
    await store.connections.put(scope, connectionRow(slug, "org", "main", { toolSetId: `set_${slug}`, toolsSyncedAt: at }))
  }

  const [importer, maker] = [
    { tenant: "importer", user: "alice" },
    { tenant: "maker", user: "alice" },
  ]
  const [imported, registry] = [await people(importer.tenant), await people(maker.tenant)]
  await connect(importer, "service", "openapi")
  await connect(maker, "registry", "registry")
  await store.transaction(async (rows) => {
    for (const slug of names) await rows.registryTools.put(maker, registryToolRow(slug, { status: "published", publishedVersion: "1.0.0" }))
  })
  return {
    imported,
    registry,
    async close() {
      await product.core.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
