// Names the integrations that nobody has connected yet: their tools exist, but no search finds them.
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { Page, PageRequest } from "../../../core/page.ts"

export async function unconnectedSlugs(api: ExecutorApi): Promise<string[]> {
  const connected = new Set((await readAll((page) => api.connections.list(page))).map(({ integration }) => integration))
  const integrations = await readAll((page) => api.integrations.list(page))
  // The tools of a plugin may need no connection.
  return integrations.filter(({ slug, kind }) => kind !== "plugin" && !connected.has(slug)).map(({ slug }) => slug)
}

export async function readAll<Row>(read: (page: PageRequest) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page<Row> = await read(cursor === undefined ? {} : { cursor })
    rows.push(...page.items)
    cursor = page.nextCursor
  }
  return rows
}
