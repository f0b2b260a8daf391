// The latest searches of the journal, among the calls that may have followed from them.
import { sql } from "kysely"
import { policyActions } from "../../../core/policy.ts"
import type { Visibility } from "../../execution-store.ts"
import type { SearchTrace } from "../search-trace.ts"
import { compile } from "../../statement.ts"
import type { Builder } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { unpack } from "../packing.ts"
import type { Packed } from "../packing.ts"

/** The built-ins that search, as code may call them. */
const searchPaths = ["search", "tools.search", "discover", "tools.discover"]
/** Whoever asks for more was refused; escapes and the other arguments fit as well. */
const argsBytesMax = 16 * 1024
/** What is packed in SQLite was long. */
const isShort = {
  sqlite: sql<boolean>`typeof(c.args) = 'text' and octet_length(c.args) <= ${argsBytesMax}`,
  postgres: sql<boolean>`octet_length(c.args) <= ${argsBytesMax}`,
}

export async function searchTraces(
  who: Visibility,
  limit: number,
  { kysely, dialect }: Pick<Builder, "kysely" | "dialect">,
  backend: Pick<ExecutionBackend, "all">,
): Promise<SearchTrace[]> {
  const isSearch = sql<boolean>`(c.decision = 'none' and c.path in (${sql.join(searchPaths)}) and c.answer_form = 'value' and ${isShort[dialect]})`
  // The arguments and answers of other calls may be long, and say nothing here.
  let query = kysely
    .selectFrom("calls as c")
    .innerJoin("executions as e", (join) => join.onRef("e.tenant_id", "=", "c.tenant_id").onRef("e.execution_id", "=", "c.execution_id"))
    .select(["c.execution_id as executionId", "c.call_key as key", "c.path", "c.address", "e.session"])
    .select(["e.user_id as user", "e.principal_kind as principalKind", "e.token_id as tokenId"])
    .select((select) => select.ref("c.started_at").$notNull().as("startedAt"))
    .select([
      sql<Packed>`case when ${isSearch} then c.args else '' end`.as("argsJson"),
      sql<Packed | null>`case when ${isSearch} then c.answer else '' end`.as("answerJson"),
    ])
    .where("c.tenant_id", "=", who.tenant)
    .where("c.started_at", "is not", null)
    .where((where) =>
      where.or([
        isSearch,
        where.and([where("c.decision", "in", [...policyActions]), where("c.state", "=", "done"), where("c.error_code", "is", null)]),
      ]),
    )
  if (who.user !== null) query = query.where("e.user_id", "=", who.user)
  if (who.tokenId !== null) query = query.where("e.token_id", "=", who.tokenId)
  const latest = query
    .orderBy("c.started_at", "desc")
    .orderBy("c.execution_id", "desc")
    .orderBy("c.seq", "desc")
    .orderBy("c.call_key", "desc")
  const rows = await unpack(await backend.all(compile(latest.limit(limit)), "all"), ["argsJson", "answerJson"])
  return rows.map(({ argsJson, answerJson, ...trace }) => ({
    ...trace,
    search: argsJson === "" ? null : { argsJson, answerJson: answerJson ?? "" },
  }))
}
