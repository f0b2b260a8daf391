// The conformance suite of the execution store's port: every implementation runs it, and passes all of it.
import { afterAll, beforeAll, describe } from "vitest"
import type { Stores } from "../../rows.ts"
import { testApprovals } from "./approvals.ts"
import { testAuditChain } from "./audit-chain.ts"
import { testAudit } from "./audit.ts"
import { testBroadcasts } from "./broadcasts.ts"
import { testExecutionRows } from "./executions.ts"
import { testHostileRows } from "./hostile-rows.ts"
import { testJournal } from "./journal.ts"
import { testLeases } from "./leases.ts"
import { testPlaces } from "./places.ts"
import { testSignals } from "./signals.ts"
import { testValues } from "./values.ts"
import { testVisibility } from "./visibility.ts"

export interface ExecutionsUnderTest {
  readonly stores: Stores
  /** Opened on the same database, as another process would. */
  readonly other: Stores
  /** Closes both. */
  close(): Promise<void>
}

/** Tests share one database and keep apart by tenant, because a new PostgreSQL database costs more than a test. */
export function testExecutions(name: string, open: () => Promise<ExecutionsUnderTest>): void {
  describe(name, () => {
    let opened: ExecutionsUnderTest | null = null
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(async () => {
      await opened?.close()
    })
    const use = (): ExecutionsUnderTest => {
      if (!opened) throw new Error("The stores are open while tests run")
      return opened
    }

    testJournal(use)
    testExecutionRows(use)
    testLeases(use)
    testSignals(use)
    testBroadcasts(use)
    testApprovals(use)
    testValues(use)
    testPlaces(use)
    testAudit(use)
    testAuditChain(use)
    testVisibility(use)
    testHostileRows(use)
  })
}
