// What the queries ask of a database: to run statements, alone or together.
//
// `sqlite.ts` and `postgres.ts` implement it; everything above is the same for both.
import type { Statement } from "./statement.ts"

export interface Reader {
  all<Row>(statement: Statement<Row>): Promise<Row[]>
}

export interface Session extends Reader {
  /** Answers how many rows changed. */
  change(statement: Statement<unknown>): Promise<number>
  /** All or nothing. Inside a transaction the work becomes a part of it, and its failure is the failure of the whole. */
  atomic<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Several reads that see one state. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>
}

export interface Transaction extends Session {
  /** Waits until no other transaction changes the tenant's catalog, and keeps them out until this one ends. */
  lockCatalog(tenant: string): Promise<void>
  /** Lets the store's revision change when the transaction is committed. */
  bumpRevision(): void
}

/** Changes to the catalog go one after the other within a tenant, so that what is collected as garbage is nobody's next target. */
export function changeCatalog<T>(session: Session, tenant: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return session.atomic(async (transaction) => {
    await transaction.lockCatalog(tenant)
    return work(transaction)
  })
}
