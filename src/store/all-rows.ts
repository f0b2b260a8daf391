// Reads all rows of a list, page by page.
import type { Scope } from "../core/principal.ts"
import { refOf, toolKeyOf } from "./store.ts"
import type { After, ConnectionFilter, ConnectionRow, IntegrationRow, Store, ToolKey, ToolListRow, ToolRowFilter } from "./store.ts"

const pageRowsUsual = 500

/** Pages, not rows: awaiting every row of a large catalog would cost more than reading it. */
export async function* eachPage<Row, Key>(
  list: (page: After<Key>) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  limit: number = pageRowsUsual,
): AsyncGenerator<Row[]> {
  for (let after: Key | null = null; ;) {
    const rows: Row[] = await list({ after, limit })
    yield rows
    const last = rows.at(-1)
    if (rows.length < limit || last === undefined) return
    after = keyOf(last)
  }
}

/** The first rows that are shown, of those after a position: what is hidden takes no place. Where much is, each further step reads more. */
export async function firstShown<Row, Key, Shown>(
  { after, limit }: After<Key>,
  list: (page: After<Key>) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  choose: (rows: readonly Row[]) => readonly Shown[] | Promise<readonly Shown[]>,
): Promise<Shown[]> {
  const shown: Shown[] = []
  for (let step: After<Key> = { after, limit }; ;) {
    const rows = await list(step)
    shown.push(...(await choose(rows)))
    const last = rows.at(-1)
    if (shown.length >= limit || rows.length < step.limit || last === undefined) return shown.slice(0, limit)
    step = { after: keyOf(last), limit: Math.max(limit, Math.min(step.limit * 2, stepRowsMax)) }
  }
}

const stepRowsMax = 2000

export async function allRows<Row, Key>(list: (page: After<Key>) => Promise<Row[]>, keyOf: (row: Row) => Key): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of eachPage(list, keyOf)) all.push(...rows)
  return all
}

export const allIntegrations = (scope: Scope, store: Store): Promise<IntegrationRow[]> =>
  allRows<IntegrationRow, string>(
    (page) => store.integrations.list(scope, page),
    ({ slug }) => slug,
  )

export const allConnections = (scope: Scope, filter: ConnectionFilter, store: Store): Promise<ConnectionRow[]> =>
  allRows((page) => store.connections.list(scope, filter, page), refOf)

export const toolPages = (scope: Scope, filter: ToolRowFilter, store: Store, limit?: number): AsyncGenerator<ToolListRow[]> =>
  eachPage((page: After<ToolKey>) => store.tools.list(scope, filter, page), toolKeyOf, limit)
