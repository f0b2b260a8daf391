// The dependencies of the engine.
import type { ProgramKind } from "../core/execution.ts"
import type { ProgramRunner } from "../sandbox/program-runner.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { ExecutionStore } from "../store/execution-store.ts"
import type { GateParts } from "./gate/gate.ts"
import type { SharedPlaces } from "./cluster/shared-places.ts"
import type { RunRegistry } from "./executions/run-registry.ts"
import type { ShownPauses } from "./executions/pause-shown.ts"
import type { TokenNames } from "./audit/token-names.ts"
import type { HeldBytes } from "./gate/held-bytes.ts"
import type { StoredQuota } from "./executions/stored-quota.ts"
import type { WaitingQuota } from "./approvals/waiting-quota.ts"

export type EngineParts = GateParts & {
  readonly executions: ExecutionStore
  readonly sandbox: Sandbox
  readonly runners: Readonly<Record<ProgramKind, ProgramRunner>>
  readonly runs: RunRegistry
  readonly places: SharedPlaces
  readonly tokenNames: TokenNames
  readonly shownPauses: ShownPauses
  readonly waitingQuota: WaitingQuota
  readonly storedQuota: StoredQuota
  readonly heldBytes: HeldBytes
  /** This process among those on the store. */
  readonly node: string
  readonly leaseMs: number
  /** Whether people sign in at providers alone. */
  readonly isSsoOnly: boolean
  /** Where humans approve; null where no server runs. */
  approvalUrl(executionId: string): string | null
}
