// Lets the patterns of policies, roles, tokens and agents' grants follow an integration to its new slug.
import type { Transaction } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"

type Rename = { readonly tenant: string; readonly from: string; readonly to: string }

/** Tables with a JSON array of patterns, by the column that identifies a row in its tenant. */
const lists = [
  ["roles", "role_id"],
  ["tokens", "token_id"],
  ["agent_grants", "grant_id"],
] as const

export async function renamePatterns(rename: Rename, { kysely }: Builder, transaction: Transaction): Promise<void> {
  const { tenant } = rename
  const policies = kysely.selectFrom("policies").select(["policy_id", "pattern"]).where("tenant_id", "=", tenant)
  for (const { policy_id, pattern } of await transaction.all(compile(policies))) {
    const renamed = renamePattern(pattern, rename)
    if (renamed === pattern) continue
    const query = kysely.updateTable("policies").set({ pattern: renamed }).where("tenant_id", "=", tenant)
    await transaction.change(compile(query.where("policy_id", "=", policy_id)))
  }
  for (const [table, id] of lists) {
    const rows = kysely
      .selectFrom(table)
      .select([`${id} as id`, "patterns"])
      .where("tenant_id", "=", tenant)
      .where("patterns", "is not", null)
    for (const row of await transaction.all(compile(rows))) {
      const patterns = renameList(row.patterns ?? "[]", rename)
      if (patterns === row.patterns) continue
      const query = kysely.updateTable(table).set({ patterns }).where("tenant_id", "=", tenant)
      await transaction.change(compile(query.where(id, "=", row.id)))
    }
  }
}

function renameList(text: string, rename: Rename): string {
  const patterns = JSON.parse(text) as string[] // written by the store from such a list
  const renamed = patterns.map((pattern) => renamePattern(pattern, rename))
  return renamed.some((pattern, index) => pattern !== patterns[index]) ? JSON.stringify(renamed) : text
}

/** Only a first segment that is the slug itself: what matches by a wildcard was not written for this integration. */
function renamePattern(pattern: string, { from, to }: Rename): string {
  return pattern === from || pattern.startsWith(`${from}.`) ? `${to}${pattern.slice(from.length)}` : pattern
}
