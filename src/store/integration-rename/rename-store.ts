// The store port for giving an integration another slug.
import type { ConnectionRef } from "../../core/address.ts"
import type { SourceKind } from "../../core/integration.ts"
import type { Scope } from "../../core/principal.ts"

export interface IntegrationRenames {
  /** Without a scope, for the operator alone: those of every tenant with one of these slugs, of another kind than this. */
  findNamed(slugs: readonly string[], except: SourceKind): Promise<NamedIntegration[]>
  /**
   * Whatever refers to it follows: connections of every owner with what belongs to them, OAuth clients and flows, and the
   * patterns whose first segment is its slug. Answers its connections, or null where there is no such integration.
   * Credentials stay under their references, because they are sealed with them: whoever renames seals them again.
   */
  rename(scope: Scope, from: string, to: string): Promise<readonly OwnedConnection[] | null>
}

export type NamedIntegration = { readonly tenant: string; readonly slug: string }
/** `user`: whose it is; '' for the tenant's. */
export type OwnedConnection = Pick<ConnectionRef, "owner" | "connection"> & { readonly user: string }
