// Tokens: found by the hash of their secret, listed and removed by the user they act for.
import type { Selectable } from "kysely"
import { ExecutorError } from "../../core/errors.ts"
import type { TokensTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import { chunks } from "./chunks.ts"
import type { After, TokenRow, TokenRows } from "../store.ts"

const columns = [
  "tenant_id",
  "token_id",
  "user_id",
  "hash",
  "name",
  "kind",
  "elicitation",
  "created_at",
  "patterns",
  "expires_at",
  "created_by",
  "client",
  "surface",
  "debug",
] as const

export function tokenQueries({ kysely }: Builder): (session: Session) => TokenRows {
  const byHash = prepare(["hash"], ({ hash }) =>
    kysely.selectFrom("tokens").select(columns).where("hash", "=", hash).where("revoked", "=", 0),
  )

  const byId = prepare(["tenant", "user", "id"], ({ tenant, user, id }) =>
    kysely
      .selectFrom("tokens")
      .select(columns)
      .where("tenant_id", "=", tenant)
      .where("user_id", "=", user)
      .where("token_id", "=", id)
      .where("revoked", "=", 0),
  )

  async function readPage(session: Session, tenant: string, user: string | null, page: After<string>): Promise<TokenRow[]> {
    await session.lockTenant(tenant)
    let query = kysely.selectFrom("tokens").select(columns).where("tenant_id", "=", tenant).where("revoked", "=", 0)
    if (user !== null) query = query.where("user_id", "=", user)
    if (page.after !== null) query = query.where("token_id", ">", page.after)
    return (await session.all(compile(query.orderBy("token_id").limit(page.limit)))).map(readToken)
  }

  const grants = kysely.deleteFrom("agent_grants")

  return (session) => ({
    async findByHash(hash) {
      const [row] = await session.all(byHash({ hash }))
      return row ? readToken(row) : null
    },

    async get({ tenant, user }, id) {
      const [row] = await session.all(byId({ tenant, user, id }))
      return row ? readToken(row) : null
    },

    async find(tenant, id) {
      const query = kysely.selectFrom("tokens").select(columns).where("tenant_id", "=", tenant).where("token_id", "=", id)
      const [row] = await session.all(compile(query.where("revoked", "=", 0)))
      return row ? readToken(row) : null
    },

    list: ({ tenant, user }, page) => readPage(session, tenant, user, page),
    listAll: (tenant, page) => readPage(session, tenant, null, page),

    async put(token) {
      const row = writeToken(token)
      const { tenant_id: _tenant, token_id: _id, user_id, ...changes } = row
      const query = kysely.insertInto("tokens").values(row)
      const statement = compile(
        query.onConflict((conflict) =>
          conflict.columns(["tenant_id", "token_id"]).doUpdateSet(changes).where("tokens.user_id", "=", user_id),
        ),
      )
      await atomicIn(session, token.tenant, async (transaction) => {
        if ((await transaction.change(statement)) === 0) throw new ExecutorError("conflict", `The token id '${token.id}' is taken`)
        transaction.bumpRevision()
      })
    },

    async remove(scope, id) {
      // Nothing has this hash, so that nobody gets in with it.
      const query = kysely
        .updateTable("tokens")
        .set({ revoked: 1, hash: `revoked:${scope.tenant}/${id}` })
        .where("tenant_id", "=", scope.tenant)
        .where("revoked", "=", 0)
      return atomicIn(session, scope.tenant, async (transaction) => {
        if ((await transaction.change(compile(query.where("user_id", "=", scope.user).where("token_id", "=", id)))) === 0) return false
        await transaction.change(compile(grants.where("tenant_id", "=", scope.tenant).where("token_id", "=", id)))
        transaction.bumpRevision()
        return true
      })
    },

    async names(tenant, ids) {
      const names = new Map<string, string>()
      for (const some of chunks(ids)) {
        const query = kysely.selectFrom("tokens").select(["token_id", "name"]).where("tenant_id", "=", tenant).where("token_id", "in", some)
        for (const row of await session.all(compile(query))) names.set(row.token_id, row.name)
      }
      return names
    },
  })
}

const readToken = (row: Omit<Selectable<TokensTable>, "revoked">): TokenRow => ({
  tenant: row.tenant_id,
  user: row.user_id,
  id: row.token_id,
  hash: row.hash,
  name: row.name,
  kind: row.kind,
  elicitation: row.elicitation,
  createdAt: row.created_at,
  patterns: row.patterns,
  expiresAt: row.expires_at,
  createdBy: row.created_by,
  client: row.client,
  surface: row.surface,
  debug: row.debug === 1,
})

const writeToken = (token: TokenRow): TokensTable => ({
  tenant_id: token.tenant,
  token_id: token.id,
  user_id: token.user,
  hash: token.hash,
  name: token.name,
  kind: token.kind,
  elicitation: token.elicitation,
  created_at: token.createdAt,
  patterns: token.patterns,
  expires_at: token.expiresAt,
  created_by: token.createdBy,
  client: token.client,
  surface: token.surface,
  debug: Number(token.debug),
  revoked: 0,
})
