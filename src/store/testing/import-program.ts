// A process that replaces a connection's tools again and again, until it is killed: `node import-program.ts <path or URL>`.
//
// It prints the version of each replacement that was committed, so that a test knows what must not be lost.
import { openPostgresStore } from "../postgres.ts"
import { openSqliteStore } from "../sqlite.ts"
import type { Store, ToolSetWrite } from "../store.ts"
import { connectionRow, integrationRow, toolWrite } from "./samples.ts"

export const importScope = { tenant: "default", user: "local" }
export const importedTools = 150

/** Every part of a version names it, so that a mixture of two shows. */
export function versionOf(version: number): ToolSetWrite {
  const names = Array.from({ length: importedTools }, (_, index) => `group.tool${index}`)
  return {
    id: `version ${version}`,
    tools: names.map((name) => toolWrite(name, { description: `version ${version}`, inputSchema: JSON.stringify({ version, name }) })),
    definitions: new Map(names.map((name) => [name, JSON.stringify({ definition: name, version })])),
  }
}

export async function replaceTools(store: Store, version: number): Promise<void> {
  await store.transaction(async (transaction) => {
    const documentHash = await transaction.documents.put(importScope, `document of version ${version}`)
    const set = versionOf(version)
    await transaction.toolSets.put(importScope, set)
    await transaction.integrations.put(importScope, integrationRow("github", { documentHash, toolSetId: set.id, name: set.id }))
    await transaction.connections.put(importScope, connectionRow("github", "org", "main", { toolSetId: set.id }))
    await transaction.toolSets.collectGarbage(importScope)
  })
}

const [place] = process.argv.slice(2)
if (import.meta.main && place !== undefined) {
  const store = place.startsWith("postgres:") ? await openPostgresStore({ url: place }) : await openSqliteStore({ path: place })
  const row = await store.integrations.get(importScope, "github")
  for (let version = Number(row?.name.split(" ")[1] ?? 0) + 1; ; version += 1) {
    await replaceTools(store, version)
    console.log(String(version))
  }
}
