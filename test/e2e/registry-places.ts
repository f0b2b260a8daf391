// Reads every place where a registry tool leaves something, so that a test can search them all for a secret.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Client } from "../../src/surfaces/client/index.ts"
import type { DatabaseRows } from "../servers/database-rows.ts"
import type { Product } from "./product.ts"

export async function readPlaces(product: Product, rows: DatabaseRows): Promise<Record<string, string>> {
  const { client, dataDir } = product
  const files = readdirSync(dataDir).filter((name) => name.startsWith("executor.db"))
  const tools = (await client.registry.list({}, { limit: 1000 })).items
  const each = async (read: (id: string) => Promise<unknown>): Promise<string> =>
    JSON.stringify(await Promise.all(tools.map(({ id }) => read(id).catch((error: unknown) => String(error)))))
  return {
    rows: JSON.stringify(await rows.everything()),
    files: files.map((name) => readFileSync(join(dataDir, name), "latin1")).join(""),
    versions: await each((id) => client.registry.versions(id)),
    diffs: await each((id) => diffsOf(client, id)),
    list: JSON.stringify([tools, await client.tools.list({}), await client.credentials.list(), await client.artifacts.list()]),
    show: `${await each((id) => client.registry.get(id))}${JSON.stringify((await product.request("GET", "/tools/types")).body)}`,
    export: JSON.stringify(await client.registry.export()),
    audit: JSON.stringify(await client.audit.list({ limit: 1000 })),
    journal: await journalOf(client),
    logs: product.output(),
  }
}

async function diffsOf(client: Client, id: string): Promise<unknown> {
  const { items } = await client.registry.versions(id)
  const pairs = items.map(({ version }) => ({ from: version, to: items[0]?.version ?? version }))
  return Promise.all([{}, ...pairs].map((between) => client.registry.diff(id, between).catch((error: unknown) => String(error))))
}

async function journalOf(client: Client): Promise<string> {
  const { items } = await client.executions.list({ limit: 1000 })
  const executions = items.map(({ executionId }) => client.executions.get(executionId))
  return JSON.stringify([await Promise.all(executions), await client.approvals.list({ limit: 100 })])
}
