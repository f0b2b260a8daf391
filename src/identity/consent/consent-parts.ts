// What the authorization server needs of the product.
import type { Limits } from "../../core/limits.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import type { Clock } from "../../io/clock.ts"
import type { Store } from "../../store/store.ts"
import type { AccessReader } from "../access.ts"
import type { ClientDocuments } from "./client-document.ts"

export type ConsentParts = {
  readonly store: Store
  readonly access: AccessReader
  readonly clock: Clock
  readonly limits: Limits
  /** 32 bytes that every node on the store has. */
  readonly key: Uint8Array
  readonly documents: ClientDocuments
  /** Where browsers reach us, without a slash at the end. */
  issuer(): string
  /** Revokes a token that exists, and cancels what acts in its name. */
  endToken(owner: Scope, tokenId: string): Promise<unknown>
  /** What somebody did who is not signed in. */
  noteAnonymous(facts: ConsentNote, address: string): Promise<void>
  note(who: Pick<Principal, "tenant" | "user" | "kind" | "tokenId">, facts: ConsentNote): Promise<void>
}

/** For the audit. Nothing secret may be in it. */
export type ConsentNote = {
  readonly action: string
  readonly subject: string
  readonly outcome: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The human, who acts by what they allowed. */
export const humanOf = ({ tenant, user }: Pick<Principal, "tenant" | "user">) => ({ tenant, user, kind: "human", tokenId: null }) as const
