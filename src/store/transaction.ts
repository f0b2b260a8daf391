// What a transaction means here, the same on both databases: all or nothing, with no way to commit a part by mistake.
//
// A statement that failed ends the transaction even if its error was caught: PostgreSQL has given up by then, and
// SQLite would commit half of what the statement's verb meant to do.
import { AsyncLocalStorage } from "node:async_hooks"
import type { Reader, Transaction } from "./session.ts"
import type { Statement } from "./statement.ts"

/** A database on which a transaction has begun. */
export interface TransactionHost extends Reader {
  change(statement: Statement<unknown>): Promise<number>
  lockTenant(tenant: string): Promise<void>
  commit(bumpsRevision: boolean): Promise<void>
  rollback(): Promise<void>
}

type State = { isOpen: boolean; bumpsRevision: boolean; failure: { readonly error: unknown } | null }

export interface Transactions {
  /** Throws inside the work of an open transaction: waiting there for another one would be waiting for oneself. */
  refuseInside(): void
  run<T>(host: TransactionHost, work: (transaction: Transaction) => Promise<T>): Promise<T>
}

export function createTransactions(): Transactions {
  const current = new AsyncLocalStorage<State>()
  return {
    refuseInside() {
      if (current.getStore()?.isOpen) throw new Error("Inside a transaction only the store that was handed to it may write")
    },
    async run(host, work) {
      const state: State = { isOpen: true, bumpsRevision: false, failure: null }
      try {
        const result = await current.run(state, () => work(transactionOver(host, state)))
        if (state.failure) throw new Error("A part of the transaction failed, so nothing of it was kept", { cause: state.failure.error })
        state.isOpen = false
        await host.commit(state.bumpsRevision)
        return result
      } catch (error) {
        state.isOpen = false
        await host.rollback()
        throw error
      }
    },
  }
}

function transactionOver(host: TransactionHost, state: State): Transaction {
  async function inside<T>(step: () => Promise<T>): Promise<T> {
    if (!state.isOpen) throw new Error("The transaction is over; a statement of it was not awaited")
    try {
      return await step()
    } catch (error) {
      state.failure ??= { error }
      throw error
    }
  }

  const transaction: Transaction = {
    all: (statement) => inside(() => host.all(statement)),
    change: (statement) => inside(() => host.change(statement)),
    lockTenant: (tenant) => inside(() => host.lockTenant(tenant)),
    bumpRevision: () => {
      state.bumpsRevision = true
    },
    atomic: (work) => inside(() => work(transaction)),
    snapshot: (work) => work(transaction),
  }
  return transaction
}
