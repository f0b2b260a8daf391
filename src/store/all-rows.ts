// Reads all rows of a list, page by page.
import type { Scope } from "../core/principal.ts"
import { refOf, toolKeyOf } from "./store.ts"
import type { After, ConnectionFilter, ConnectionRow, IntegrationRow, Store, ToolKey, ToolListRow, ToolListFilter } from "./store.ts"

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

/** The first rows that are shown, of those after a position: what is hidden takes no place. Each further step reads what is likely to fill the rest. */
export async function firstShown<Row, Key, Shown>(
  { after, limit }: After<Key>,
  list: (page: After<Key>) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  choose: (rows: readonly Row[]) => readonly Shown[] | Promise<readonly Shown[]>,
): Promise<Shown[]> {
  const shown: Shown[] = []
  let read = 0
  for (let step: After<Key> = { after, limit }; ;) {
    const rows = await list(step)
    read += rows.length
    shown.push(...(await choose(rows)))
    const last = rows.at(-1)
    if (shown.length >= limit || rows.length < step.limit || last === undefined) return shown.slice(0, limit)
    const likely = shown.length === 0 ? step.limit * 2 : Math.ceil(((limit - shown.length) * read * spare) / shown.length)
    step = { after: keyOf(last), limit: Math.min(likely, stepRowsMax) }
  }
}

const stepRowsMax = 2000
/** Better some rows too many than another step. */
const spare = 1.25

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

export const toolPages = (scope: Scope, filter: ToolListFilter, store: Store, limit?: number): AsyncGenerator<ToolListRow[]> =>
  eachPage((page: After<ToolKey>) => store.tools.list(scope, filter, page), toolKeyOf, limit)
