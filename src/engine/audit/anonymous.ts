// Records in the audit log what somebody did without being signed in, mostly failed sign-ins.
import type { Scope } from "../../core/principal.ts"
import { anonymousUser } from "../../core/principal.ts"
import { addressPrefix } from "../../io/network/address-range.ts"
import type { EngineParts } from "../engine-parts.ts"
import { newAuditRow } from "./row.ts"

export type AnonymousFacts = {
  /** E.g. `signin.oidc`. */
  readonly action: string
  /** What was tried, e.g. the id of the provider. */
  readonly subject: string
  /** An error's code. */
  readonly outcome: string
  /** A user of the tenant whom the attempt named: only one that exists, never a name as it was sent. */
  readonly user?: string
  /** Of the client; its network alone is kept. */
  readonly address?: string | null
  /** Must hold nothing secret; long texts are cut. */
  readonly details?: Readonly<Record<string, unknown>>
}

const detailCharsMax = 300

/** Strangers can cause these rows: whoever calls this has limited how often. `tenant` must exist. */
export function auditAnonymous(
  tenant: Scope["tenant"],
  { action, subject, outcome, user = anonymousUser, address = null, details = {} }: AnonymousFacts,
  parts: Pick<EngineParts, "executions" | "clock">,
): Promise<void> {
  const shown = Object.entries(details).map(([name, value]) => [name, typeof value === "string" ? value.slice(0, detailCharsMax) : value])
  const told = { ...Object.fromEntries(shown), isAuthenticated: false, ...(address === null ? {} : { address: addressPrefix(address) }) }
  const who = { tenant, user, kind: "human", tokenId: null } as const
  const row = newAuditRow(who, { action, subject, outcome, details: JSON.stringify(told) }, parts.clock)
  return parts.executions.journal.append([{ kind: "audit", row }], "now")
}
