// Migrates a database to the version of this program, and refuses a newer one.
//
// All of it happens in one transaction that holds the database's write lock: of two processes that start at once
// the second waits, and then finds nothing left to do. A process that dies half-way leaves the old version.
import { ExecutorError } from "../core/errors.ts"
import { isoNow, systemClock } from "../io/clock.ts"
import type { Dialect } from "./statement.ts"
import type { Transaction } from "./session.ts"
import { raw } from "./statement.ts"

export type Migration = {
  readonly version: number
  readonly name: string
  readonly statements: (target: MigrationTarget) => readonly string[]
}

export type MigrationTarget = {
  readonly dialect: Dialect
  /** Text that is ordered by its bytes, whatever the database's locale: both databases then agree on the order of pages. */
  readonly text: string
  readonly bytes: string
}

const targets: Record<Dialect, MigrationTarget> = {
  sqlite: { dialect: "sqlite", text: "text", bytes: "blob" },
  postgres: { dialect: "postgres", text: `text collate "C"`, bytes: "bytea" },
}

/** `transaction` must hold the lock that keeps every other migrating process out. `place` names the database in the refusal. */
export async function migrate(
  transaction: Transaction,
  migrations: readonly Migration[],
  place: { dialect: Dialect; name: string },
): Promise<void> {
  const target = targets[place.dialect]
  await transaction.change(
    raw(
      `create table if not exists migrations (version integer not null primary key, name ${target.text} not null, applied_at ${target.text} not null)`,
    ),
  )
  const [row] = await transaction.all(raw<{ version: number | null }>("select max(version) as version from migrations"))
  const current = row?.version ?? 0
  const newest = migrations.at(-1)?.version ?? 0
  if (current > newest) throw newerDatabase(place.name, current, newest)
  for (const migration of migrations) {
    if (migration.version <= current) continue
    for (const statement of migration.statements(target)) await transaction.change(raw(statement))
    const values = `${migration.version}, '${migration.name}', '${isoNow(systemClock)}'`
    await transaction.change(raw(`insert into migrations (version, name, applied_at) values (${values})`))
  }
}

function newerDatabase(name: string, current: number, newest: number): ExecutorError {
  return new ExecutorError(
    "conflict",
    `${name} has version ${current}, and this program knows versions up to ${newest}: a newer Executor has written it. ` +
      "Update this program, or use another database (EXECUTOR_DATA_DIR, EXECUTOR_DATABASE_URL). Nothing was changed.",
    { current, newest },
  )
}
