// Reads the rows of a product's database directly, whichever of the two it is.
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Client } from "pg"

export type Row = Readonly<Record<string, unknown>>
export type DatabaseRows = {
  all(sql: string): Promise<Row[]>
  /** Every row of every table, as text; bytes as latin1. */
  everything(): Promise<Record<string, string>>
  close(): Promise<void>
}

/** `databaseUrl`: of PostgreSQL; null: the SQLite file in the data directory. */
export async function openRows(dataDir: string, databaseUrl: string | null): Promise<DatabaseRows> {
  const { all, tables, close } = databaseUrl === null ? openSqlite(join(dataDir, "executor.db")) : await openPostgres(databaseUrl)
  return {
    all,
    close,
    async everything() {
      const read: Record<string, string> = {}
      for (const { name } of await all(tables)) read[String(name)] = (await all(`select * from "${String(name)}"`)).map(textOf).join("\n")
      return read
    },
  }
}

type Opened = Pick<DatabaseRows, "all" | "close"> & { readonly tables: string }

function openSqlite(path: string): Opened {
  const database = new DatabaseSync(path)
  database.exec("PRAGMA busy_timeout = 10000")
  return {
    all: async (sql) => database.prepare(sql).all(),
    close: async () => database.close(),
    tables: "select name from sqlite_master where type = 'table'",
  }
}

async function openPostgres(connectionString: string): Promise<Opened> {
  const client = new Client({ connectionString })
  await client.connect()
  return {
    all: async (sql) => (await client.query<Row>(sql)).rows,
    close: () => client.end(),
    tables: "select table_name as name from information_schema.tables where table_schema = 'public'",
  }
}

const textOf = (row: Row): string =>
  Object.values(row)
    .map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : typeof value === "string" ? value : JSON.stringify(value),
    )
    .join("\t")
