// Passkeys by their credential or their user, and challenges by the hash of a browser's secret.
import type { PasskeyChallengeRow, PasskeyChallengeRows, PasskeyRow, PasskeyRows } from "../passkey-store.ts"
import type { PasskeyChallengesTable, PasskeysTable } from "../passkey-tables.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"

export function passkeyQueries({ kysely }: Builder): (session: Session) => PasskeyRows {
  const all = kysely.selectFrom("passkeys").selectAll()

  return (session) => ({
    async findByCredential(credentialId) {
      const [row] = await session.all(compile(all.where("credential_id", "=", credentialId)))
      return row ? readPasskey(row) : null
    },

    async list({ tenant, user }) {
      await session.lockTenant(tenant)
      const rows = await session.all(compile(all.where("tenant_id", "=", tenant).where("user_id", "=", user).orderBy("passkey_id")))
      return rows.map(readPasskey)
    },

    async add(row) {
      const query = kysely.insertInto("passkeys").values(writePasskey(row))
      const statement = compile(query.onConflict((conflict) => conflict.column("credential_id").doNothing()))
      return atomicIn(session, row.tenant, async (transaction) => (await transaction.change(statement)) === 1)
    },

    async rename({ tenant, user }, id, name) {
      await session.lockTenant(tenant)
      const query = kysely.updateTable("passkeys").set({ name }).where("tenant_id", "=", tenant).where("user_id", "=", user)
      return (await session.change(compile(query.where("passkey_id", "=", id)))) === 1
    },

    async remove({ tenant, user }, id) {
      await session.lockTenant(tenant)
      const query = kysely.deleteFrom("passkeys").where("tenant_id", "=", tenant).where("user_id", "=", user)
      return (await session.change(compile(query.where("passkey_id", "=", id)))) === 1
    },

    async used(row, counter, at) {
      await session.lockTenant(row.tenant)
      const query = kysely.updateTable("passkeys").set({ counter, last_used_at: at })
      const one = query.where("tenant_id", "=", row.tenant).where("passkey_id", "=", row.id)
      const isFree = row.isSynced || (counter === 0 && row.counter === 0)
      return (await session.change(compile(isFree ? one : one.where("counter", "<", counter)))) === 1
    },
  })
}

export function passkeyChallengeQueries({ kysely }: Builder): (session: Session) => PasskeyChallengeRows {
  return (session) => ({
    async put(row) {
      const stale = kysely.deleteFrom("passkey_challenges").where("expires_at", "<", row.createdAt)
      await session.change(compile(stale))
      await session.change(compile(kysely.insertInto("passkey_challenges").values(writeChallenge(row))))
    },

    async take(hash) {
      const [found] = await session.all(compile(kysely.selectFrom("passkey_challenges").selectAll().where("hash", "=", hash)))
      if (found === undefined) return null
      const changed = await session.change(compile(kysely.deleteFrom("passkey_challenges").where("hash", "=", hash)))
      return changed === 1 ? readChallenge(found) : null
    },
  })
}

const readPasskey = (row: PasskeysTable): PasskeyRow => ({
  tenant: row.tenant_id,
  user: row.user_id,
  id: row.passkey_id,
  credentialId: row.credential_id,
  // One driver answers with a Buffer, which is also equal to nothing but a Buffer.
  publicKey: new Uint8Array(row.public_key),
  userHandle: row.user_handle,
  // One driver answers a bigint column with text.
  counter: Number(row.counter),
  isSynced: row.synced === 1,
  transports: row.transports,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

const writePasskey = (row: PasskeyRow): PasskeysTable => ({
  tenant_id: row.tenant,
  passkey_id: row.id,
  user_id: row.user,
  credential_id: row.credentialId,
  public_key: row.publicKey,
  user_handle: row.userHandle,
  counter: row.counter,
  synced: row.isSynced ? 1 : 0,
  transports: row.transports,
  name: row.name,
  created_at: row.createdAt,
  last_used_at: row.lastUsedAt,
})

const readChallenge = (row: PasskeyChallengesTable): PasskeyChallengeRow => ({
  hash: row.hash,
  keyHash: row.key_hash,
  challengeHash: row.challenge_hash,
  purpose: row.purpose,
  subject: row.subject,
  userHandle: row.user_handle,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const writeChallenge = (row: PasskeyChallengeRow): PasskeyChallengesTable => ({
  hash: row.hash,
  key_hash: row.keyHash,
  challenge_hash: row.challengeHash,
  purpose: row.purpose,
  subject: row.subject,
  user_handle: row.userHandle,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
})
