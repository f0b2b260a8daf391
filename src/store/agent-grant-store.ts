// The store port for agent grants: what a human allowed an MCP client.
import type { Scope } from "../core/principal.ts"
import type { JsonText } from "../core/tool.ts"

export interface AgentGrantRows {
  /** Drops those of the tenant that ran out before it was made, and revokes their tokens. */
  put(row: AgentGrantRow): Promise<void>
  /** Without a scope: the code is where it comes from. */
  findByCode(codeHash: string): Promise<AgentGrantRow | null>
  /** Without a scope: the refresh token is where it comes from. */
  findBySecret(secretHash: string): Promise<AgentGrantRow | null>
  findByToken(scope: Scope, tokenId: string): Promise<AgentGrantRow | null>
  count(scope: Scope): Promise<number>
  /** Whether this was the one time that its code was redeemed. */
  redeem(grant: AgentGrantRow, redeemed: AgentGrantRedeemed): Promise<boolean>
  /** Whether this was the one time that this generation was followed by another. */
  rotate(grant: AgentGrantRow, rotated: AgentGrantRotated): Promise<boolean>
  /** Its code and refresh tokens lead nowhere any more. */
  remove(scope: Scope, id: string): Promise<boolean>
  /** Those of the user; their tokens are revoked by whoever calls this. */
  removeAll(scope: Scope): Promise<void>
}

export type AgentGrantRedeemed = { readonly tokenId: string; readonly secretHash: string; readonly at: string; readonly expiresAt: string }
export type AgentGrantRotated = { readonly at: string; readonly expiresAt: string }

export type AgentGrantRow = {
  readonly tenant: string
  readonly user: string
  readonly id: string
  /** As the client wrote it: the URL of its metadata document, or what registration gave it. */
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  readonly resource: string
  /** PKCE, S256. */
  readonly challenge: string
  /** `string[]`; null for everything that the human sees. */
  readonly patterns: JsonText | null
  readonly elicitation: JsonText
  readonly codeHash: string
  /** Null until the code was redeemed, like the next two. */
  readonly tokenId: string | null
  readonly secretHash: string | null
  readonly rotatedAt: string | null
  /** How often it was refreshed. */
  readonly generation: number
  readonly createdAt: string
  /** Of the code, then of the refresh token. */
  readonly expiresAt: string
}
