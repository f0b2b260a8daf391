// Agent grants for tests of the store.
import type { Scope } from "../../../core/principal.ts"
import type { AgentGrantRow } from "../../agent-grant-store.ts"

let made = 0
export const minute = (minutes: number): string => new Date(Date.parse("2026-11-16T10:00:00.000Z") + minutes * 60_000).toISOString()

export const agentGrantRow = (scope: Scope, fields: Partial<AgentGrantRow> = {}): AgentGrantRow => ({
  ...scope,
  id: `agr_${made++}`,
  clientId: "https://client.example/metadata.json",
  clientName: "Client",
  redirectUri: "http://127.0.0.1/callback",
  resource: "http://127.0.0.1:4788/mcp",
  challenge: "challenge",
  patterns: null,
  elicitation: '["browser"]',
  codeHash: `code-${scope.tenant}-${made}`,
  tokenId: null,
  secretHash: null,
  rotatedAt: null,
  generation: 0,
  createdAt: minute(0),
  expiresAt: minute(1),
  ...fields,
})
