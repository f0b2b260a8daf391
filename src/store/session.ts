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
  /**
   * Inside a transaction: waits until it is the only one in the tenant, and keeps the others out until it ends. What
   * it reads is then still true when it writes, what it collects as garbage is nobody's next target, and two
   * transactions never wait for each other. Outside there is nothing to do: one statement sees one state.
   */
  lockTenant(tenant: string): Promise<void>
}

export interface Transaction extends Session {
  /** Lets the store's revision change when the transaction is committed. */
  bumpRevision(): void
}

/** Runs in a transaction that is the only one in the tenant. */
export function atomicIn<T>(session: Session, tenant: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return session.atomic(async (transaction) => {
    await transaction.lockTenant(tenant)
    return work(transaction)
  })
}
