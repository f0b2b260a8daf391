// What a stranger tries with somebody's ids: on people, and on what lets them and their agents in.
import { newId, sha256 } from "../../../io/ids.ts"
import { agentGrantRow, minute } from "./agent-grant-samples.ts"
import { at } from "./oauth-samples.ts"
import { challengeRow, passkeyRow } from "./passkeys.ts"
import { invitationRow, roleRow, sessionRow, userRow } from "../samples.ts"
import { page } from "../scope-victim.ts"
import type { Attempts } from "../scope-victim.ts"
import { signInAttempts } from "./sign-in.ts"

export const peopleAttempts: Attempts = {
  "tenants.ensure": {
    try: (store, { tenant, user }) => store.tenants.ensure({ tenant, id: user, name: "M", roles: [] }),
    nothing: undefined,
  },
  "users.get": { try: (store, { tenant }) => store.users.get({ tenant, user: "nobody" }), nothing: null },
  // For the operator alone, who sees the ids of all tenants.
  "tenants.list": { try: (store, { tenant }) => store.tenants.list({ after: `${tenant}\uffff`, limit: 0 }), nothing: [] },
  "users.list": {
    try: async (store, { tenant }, { scope }) => (await store.users.list(tenant, page)).filter((row) => row.tenant === scope.tenant),
    nothing: [],
  },
  "users.put": { try: (store, { tenant, user }) => store.users.put(userRow({ tenant, user }, { name: "M" })), nothing: undefined },
  "users.remove": { try: (store, { tenant }) => store.users.remove({ tenant, user: "nobody" }), nothing: false },
  "users.seen": { try: (store, { tenant }) => store.users.seen({ tenant, user: "nobody" }, "2026"), nothing: undefined },
  "roles.list": { try: (store, { tenant }) => store.roles.list(tenant), nothing: [] },
  "roles.put": { try: (store, { tenant }) => store.roles.put(tenant, roleRow({ name: "M" })), nothing: undefined },
  "roles.remove": { try: (store, { tenant }) => store.roles.remove(tenant, "developer"), nothing: false },
  // The hash is the secret itself: whoever knows it is the token's bearer.
  "tokens.findByHash": { try: (store, _stranger, { token }) => store.tokens.findByHash(token.id), nothing: null },
  "tokens.get": { try: (store, stranger, { token }) => store.tokens.get(stranger, token.id), nothing: null },
  "tokens.list": { try: (store, stranger) => store.tokens.list(stranger, page), nothing: [] },
  "tokens.put": {
    try: (store, { tenant, user }, { token }) => store.tokens.put({ ...token, tenant, user, hash: newId("hash"), kind: "agent" }),
    nothing: undefined,
  },
  "tokens.remove": { try: (store, stranger, { token }) => store.tokens.remove(stranger, token.id), nothing: false },
  "tokens.find": { try: (store, stranger, { token }) => store.tokens.find(stranger.tenant, token.id), nothing: null },
  "tokens.listAll": {
    try: (store, stranger) => store.tokens.listAll(stranger.tenant, page),
    nothing: [],
  },
  "tokens.names": { try: (store, { tenant }, { token }) => store.tokens.names(tenant, [token.id]), nothing: new Map() },
  // A credential's id is what a sign-in brings; whoever knows it still has to sign with its key.
  "passkeys.findByCredential": { try: (store, _stranger, { passkey }) => store.passkeys.findByCredential(passkey.id), nothing: null },
  "passkeys.list": { try: (store, stranger) => store.passkeys.list(stranger), nothing: [] },
  "passkeys.add": {
    try: (store, stranger, { passkey }) => store.passkeys.add(passkeyRow(stranger, { credentialId: passkey.credentialId })),
    nothing: false,
  },
  "passkeys.rename": { try: (store, stranger, { passkey }) => store.passkeys.rename(stranger, passkey.id, "M"), nothing: false },
  "passkeys.remove": { try: (store, stranger, { passkey }) => store.passkeys.remove(stranger, passkey.id), nothing: false },
  "passkeys.used": {
    try: (store, { tenant }, { passkey }) => store.passkeys.used({ ...passkey, tenant, id: "psk_none" }, 9, "2026"),
    nothing: false,
  },
  // They belong to a browser that nobody knows yet.
  "passkeyChallenges.put": { try: (store) => store.passkeyChallenges.put(challengeRow()), nothing: undefined },
  "passkeyChallenges.take": { try: (store, { tenant }) => store.passkeyChallenges.take(tenant), nothing: null },
  // A code and a cookie are the secrets themselves: whoever knows one was given it.
  "browserSessions.find": { try: (store) => store.browserSessions.find("session", sha256("M")), nothing: null },
  "browserSessions.take": { try: (store) => store.browserSessions.take("code", sha256("M")), nothing: null },
  "browserSessions.put": {
    try: (store, { tenant, user }) => store.browserSessions.put(sessionRow({ tenant, user })),
    nothing: undefined,
  },
  "browserSessions.list": {
    try: (store, stranger) => store.browserSessions.list(stranger, page),
    nothing: [],
  },
  "browserSessions.remove": {
    try: (store, stranger, { session }) => store.browserSessions.remove(stranger, session.id),
    nothing: false,
  },
  "browserSessions.removeAll": { try: (store, stranger) => store.browserSessions.removeAll(stranger), nothing: undefined },
  "browserSessions.seen": {
    try: (store, { tenant }, { session }) => store.browserSessions.seen({ ...session, tenant, id: `${session.id}x` }, at(59)),
    nothing: undefined,
  },
  // A link is the secret itself, as above. Inside a tenant, who may invite sees all of them.
  "invitations.findByHash": { try: (store) => store.invitations.findByHash(sha256("M")), nothing: null },
  "invitations.get": {
    try: (store, stranger, { invitation }) => store.invitations.get(stranger.tenant, invitation.id),
    nothing: null,
  },
  "invitations.list": { try: (store, stranger) => store.invitations.list(stranger.tenant, page), nothing: [] },
  "invitations.put": {
    try: (store, { tenant, user }) => store.invitations.put(invitationRow({ tenant, user })),
    nothing: undefined,
  },
  "invitations.accept": {
    try: (store, stranger, { invitation }) => store.invitations.accept(stranger.tenant, invitation.id, { user: stranger.user, at: at(1) }),
    nothing: false,
  },
  "invitations.remove": {
    try: (store, stranger, { invitation }) => store.invitations.remove(stranger.tenant, invitation.id),
    nothing: false,
  },
  "invitations.dropExpired": { try: (store, stranger) => store.invitations.dropExpired(stranger.tenant, at(59)), nothing: undefined },
  // The code and the refresh token are the secrets themselves.
  "agentGrants.findByCode": { try: (store, _stranger, { agentGrant }) => store.agentGrants.findByCode(agentGrant.id), nothing: null },
  "agentGrants.findBySecret": { try: (store, _stranger, { agentGrant }) => store.agentGrants.findBySecret(agentGrant.id), nothing: null },
  "agentGrants.findByToken": { try: (store, stranger, { token }) => store.agentGrants.findByToken(stranger, token.id), nothing: null },
  "agentGrants.count": { try: (store, stranger) => store.agentGrants.count(stranger), nothing: 0 },
  "agentGrants.put": {
    try: (store, stranger) => store.agentGrants.put(agentGrantRow(stranger, { createdAt: minute(60) })),
    nothing: undefined,
  },
  "agentGrants.redeem": {
    try: (store, stranger, { agentGrant }) =>
      store.agentGrants.redeem(
        { ...agentGrant, ...stranger },
        { tokenId: "M", secretHash: newId("M"), at: minute(0), expiresAt: minute(99) },
      ),
    nothing: false,
  },
  "agentGrants.rotate": {
    try: (store, stranger, { agentGrant }) =>
      store.agentGrants.rotate({ ...agentGrant, ...stranger }, { at: minute(0), expiresAt: minute(99) }),
    nothing: false,
  },
  "agentGrants.removeAll": { try: (store, stranger) => store.agentGrants.removeAll(stranger), nothing: undefined },
  "agentGrants.remove": { try: (store, stranger, { agentGrant }) => store.agentGrants.remove(stranger, agentGrant.id), nothing: false },
  ...signInAttempts,
}
