// OAuth's rows for tests of the store: valid, small, and changed where a test needs it.
import type { Owner } from "../../../core/address.ts"
import type { Scope } from "../../../core/principal.ts"
import { newId } from "../../../io/ids.ts"
import type { OauthClientRow, OauthFlowRow, OauthGrantRow } from "../../oauth-store.ts"
import { connectionRef } from "../samples.ts"

export const at = (minute: number): string => `2026-11-01T12:${String(minute).padStart(2, "0")}:00.000Z`

export const clientRow = (change: Partial<OauthClientRow> = {}): OauthClientRow => ({
  id: newId("oac"),
  kind: "manual",
  name: "Executor",
  clientId: "abc",
  authMethod: "client_secret_basic",
  server: "{}",
  integration: null,
  redirectUri: null,
  authorizationParams: "{}",
  createdAt: at(0),
  expiresAt: null,
  ...change,
})

export const flowRow = (scope: Scope, change: Partial<OauthFlowRow> = {}): OauthFlowRow => ({
  tenant: scope.tenant,
  user: scope.user,
  id: newId("flow"),
  principalKind: "human",
  tokenId: "tok",
  stateHash: newId("hash"),
  browserHash: null,
  integration: "github",
  owner: "org",
  name: "main",
  oauthClientId: "oac",
  server: "{}",
  scopes: "[]",
  resource: null,
  origins: "[]",
  redirectUri: "http://127.0.0.1/api/oauth/callback",
  redirectTo: null,
  createdAt: at(0),
  expiresAt: at(10),
  usedAt: null,
  error: null,
  ...change,
})

export const grantRow = (owner: Owner, change: Partial<OauthGrantRow> = {}): OauthGrantRow => ({
  ...connectionRef("github", owner, "main"),
  grantType: "authorization_code",
  oauthClientId: "oac",
  server: "{}",
  scopes: '["repo"]',
  grantedScopes: null,
  resource: null,
  grantedBy: "alice",
  version: 1,
  renewable: true,
  issuedAt: at(0),
  renewAt: at(4),
  expiresAt: at(5),
  lapsedAt: null,
  lapsedReason: null,
  leaseOwner: null,
  leaseUntil: null,
  ...change,
})
