// Seals entries of the audit: gives each its position in its tenant's chain, and its hash.
//
// A batch is one transaction, and whoever runs it keeps other sealers out. It is written as statements that are yielded
// and rows that come back, because SQLite runs it on the journal's thread, which waits for nothing, and PostgreSQL does not.
import { chainStart, chainText } from "../../core/audit/chain.ts"
import type { ChainLink, ChainPlace } from "../../core/audit/chain.ts"
import { sha256 } from "../../io/ids.ts"
import { entryOf } from "../audit-store.ts"
import type { AuditRow } from "../audit-store.ts"
import type { Dialect, Statement } from "../statement.ts"
import { auditColumns } from "./shapes.ts"

export type SealBatch = Generator<Statement<unknown>, "more" | "none", readonly unknown[]>

/** The journal waits for a batch, which takes about 2 ms. */
const rowsPerBatch = 200

type Sealed = ChainLink & Pick<AuditRow, "tenant" | "id">

export function* sealBatch(dialect: Dialect): SealBatch {
  const rows = (yield unsealed) as readonly AuditRow[] // the columns that the statement names
  const heads = new Map<string, ChainPlace>()
  const sealed: Sealed[] = []
  for (const row of rows) {
    const before = heads.get(row.tenant) ?? (yield* headOf(row.tenant, dialect))
    const link = { position: before.position + 1, previousHash: before.hash }
    const hash = sha256(chainText(entryOf(row), link))
    sealed.push({ tenant: row.tenant, id: row.id, ...link, hash })
    heads.set(row.tenant, { position: link.position, hash })
  }
  yield* dialect === "sqlite" ? linkEach(sealed) : linkAll(sealed)
  for (const [tenant, { position, hash }] of heads) {
    const parameters = [tenant, position, hash, chainStart.position, chainStart.hash]
    yield { sql: textFor(dialect, headText), parameters, use: "reused" }
  }
  return rows.length === rowsPerBatch ? "more" : "none"
}

function* headOf(tenant: string, dialect: Dialect): Generator<Statement<unknown>, ChainPlace, readonly unknown[]> {
  const rows = yield {
    sql: textFor(dialect, "select position, hash from audit_chains where tenant_id = ?"),
    parameters: [tenant],
    use: "reused",
  }
  const [head] = rows as readonly { readonly position: number | string; readonly hash: string }[] // as selected
  return head === undefined ? chainStart : { position: Number(head.position), hash: head.hash }
}

/** Oldest first, whatever the tenant, so that a busy one does not keep others waiting. */
const unsealed: Statement<unknown> = {
  sql: `select ${auditColumns.map(quoteAlias).join(", ")} from audit where position = 0 order by at, audit_id limit ${rowsPerBatch}`,
  parameters: [],
  use: "reused",
}

function quoteAlias(column: string): string {
  const [name = "", field = ""] = column.split(" as ")
  return `${name} as "${field}"`
}

/** SQLite is fastest with one reused statement per row, PostgreSQL with few round trips. */
function* linkEach(sealed: readonly Sealed[]): Generator<Statement<unknown>, void, readonly unknown[]> {
  const text = "update audit set position = ?, previous_hash = ?, hash = ? where tenant_id = ? and audit_id = ?"
  for (const { position, previousHash, hash, tenant, id } of sealed)
    yield { sql: text, parameters: [position, previousHash, hash, tenant, id], use: "reused" }
}

function* linkAll(sealed: readonly Sealed[]): Generator<Statement<unknown>, void, readonly unknown[]> {
  const text = `update audit set position = link.position, previous_hash = link."previousHash", hash = link.hash
    from json_to_recordset($1::json) as link(tenant text, id text, position bigint, "previousHash" text, hash text)
    where audit.tenant_id = link.tenant and audit.audit_id = link.id`
  if (sealed.length > 0) yield { sql: text, parameters: [JSON.stringify(sealed)], use: "reused" }
}

const headText = `insert into audit_chains (tenant_id, position, hash, pruned_position, pruned_hash, begins_at) values (?, ?, ?, ?, ?, '')
  on conflict (tenant_id) do update set position = excluded.position, hash = excluded.hash`

/** PostgreSQL numbers its parameters. */
function textFor(dialect: Dialect, text: string): string {
  let count = 0
  return dialect === "sqlite" ? text : text.replaceAll("?", () => `$${(count += 1)}`)
}
