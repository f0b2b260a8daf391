// Makes registry tools over HTTP, and in the data of a product what no route lets through.
import { join } from "node:path"
import { createStaticTools } from "../../src/catalog/static-tool.ts"
import { localHuman } from "../../src/core/principal.ts"
import type { RegistryToolCreate } from "../../src/core/registry/tool.ts"
import { newToken } from "../../src/identity/token-create.ts"
import { systemClock } from "../../src/io/clock.ts"
import { publishToCatalog, toCatalogTool } from "../../src/registry/catalog.ts"
import { readSnapshot } from "../../src/registry/definition.ts"
import { noFunctions } from "../../src/registry/parts.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import { userRow } from "../../src/store/testing/samples.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import type { Product } from "./product.ts"

export type ToolInput = Partial<RegistryToolCreate> & Pick<RegistryToolCreate, "implementationType">

/** A draft; answers with its id. */
export async function draftTool(client: Client, slug: string, input: ToolInput): Promise<string> {
  const schema = { input: { type: "object", additionalProperties: true } }
  return (await client.registry.create({ name: slug, slug, description: `The tool ${slug}`, schema, ...input })).id
}

export async function makeTool(client: Client, slug: string, input: ToolInput): Promise<string> {
  const id = await draftTool(client, slug, input)
  await client.registry.publish(id)
  return id
}

/** A published tool of any type with any config, as an import or a later version of the product may leave behind. */
export async function republishAs({ dataDir }: Product, id: string, type: string, implementation: Record<string, unknown>): Promise<void> {
  const store = await openSqliteStore({ path: join(dataDir, "executor.db") })
  await store.transaction(async (tx) => {
    const row = await tx.registryTools.get(localHuman, id)
    const version = await tx.toolVersions.get(localHuman, id, "1.0.0")
    if (row === null || version === null) throw new Error(`${id} was not published`)
    const { configSchema, ...rest } = readSnapshot(version)
    const snapshot = { ...rest, implementationType: type, configSchema: { ...configSchema, implementation } }
    const parts = { functions: noFunctions, staticTools: createStaticTools([]) }
    const tool = toCatalogTool(row, { snapshot, publishedBy: localHuman.user }, parts)
    await publishToCatalog(localHuman, { put: [tool], drop: [] }, tx, new Date())
  })
  await store.close()
}

/** Another admin of the same tenant. */
export async function openColleague({ dataDir, url }: Product, user: string): Promise<Client> {
  const store = await openSqliteStore({ path: join(dataDir, "executor.db") })
  const { tenant } = localHuman
  await store.users.put(userRow({ tenant, user }, { roles: [{ role: "admin", from: "given" }] }))
  const { row, token } = newToken({ tenant, user }, { name: user, kind: "human", elicitation: [] }, systemClock)
  await store.tokens.put(row)
  await store.close()
  return createClient({ origin: `${url}/api`, token })
}
