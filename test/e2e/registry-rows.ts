// Checks that a registry's rows are of one piece: each tool, its versions, and the tool set that production resolves.
import { expect } from "vitest"
import type { DatabaseRows, Row } from "../servers/database-rows.ts"

/** Of one tenant whose tools are all published; answers with the versions, the oldest first. */
export async function checkRegistryRows(rows: DatabaseRows): Promise<Row[]> {
  const versions = await rows.all("select * from tool_versions order by tool_id, position")
  const catalog = await rows.all(
    `select t.name, t.binding from tools t join integrations i on i.tenant_id = t.tenant_id and i.tool_set_id = t.tool_set_id
     join connections c on c.tenant_id = i.tenant_id and c.integration = i.slug and c.tool_set_id = i.tool_set_id where i.slug = 'registry'`,
  )
  const secrets = new Set((await rows.all("select ref from credentials")).map(({ ref }) => ref))
  const tools = await rows.all("select * from tool_registry")
  expect(catalog.map(({ name }) => String(name)).toSorted()).toEqual(tools.map(({ slug }) => String(slug)).toSorted())
  for (const tool of tools) {
    const own = versions.filter((row) => row["tool_id"] === tool["tool_id"])
    expect(own.map(({ position }) => position)).toEqual(own.map((_, at) => at + 1))
    expect(own.at(-1)).toMatchObject({ version: tool["version"] })
    const published = own.find(({ version }) => version === tool["published_version"])
    expect(published).toMatchObject({ hash: tool["published_hash"] })
    const { configSchema, artifact } = JSON.parse(String(published?.["schema_snapshot"])) as Snapshot
    const binding = JSON.parse(String(catalog.find(({ name }) => name === tool["slug"])?.["binding"])) as unknown
    expect(binding).toMatchObject({ version: tool["published_version"], implementation: configSchema.implementation, artifact })
    for (const text of [tool["config_schema"], ...own.map((row) => row["schema_snapshot"])])
      for (const [, ref] of String(text).matchAll(/"\$secret":"([^"]+)"/g)) expect(secrets).toContain(ref)
  }
  return versions
}

type Snapshot = { readonly configSchema: { readonly implementation: object }; readonly artifact: unknown }
