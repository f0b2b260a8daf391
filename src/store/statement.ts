// How queries become statements: Kysely builds and compiles them, a session runs them.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely"
import type { CompiledQuery } from "kysely"
import type { Tables } from "./schema.ts"
import { storable } from "./storable.ts"

export type Dialect = "sqlite" | "postgres"

export interface Statement<Row> {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** `reused`: the text occurs again and again, so that the database should keep its plan. */
  readonly use: "reused" | "once"
  /** Never set: it carries the type of the rows. */
  readonly row?: Row
}

export type Builder = {
  readonly dialect: Dialect
  readonly kysely: Kysely<Tables>
  /** How many rows one insert takes: SQLite is fastest with one reused statement per row, PostgreSQL with few round trips. */
  readonly rowsPerInsert: number
}

type Compilable<Row> = { compile(): CompiledQuery<Row> }

/** Kysely compiles here and never runs, because the sessions know better which connection a statement belongs to. */
const builders: Readonly<Record<Dialect, () => Builder>> = {
  sqlite: () => ({
    dialect: "sqlite",
    rowsPerInsert: 1,
    kysely: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    }),
  }),
  postgres: () => ({
    dialect: "postgres",
    rowsPerInsert: 200,
    kysely: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
  }),
}

export const createBuilder = (dialect: Dialect): Builder => builders[dialect]()

export const compile = <Row>(query: Compilable<Row>): Statement<Row> => {
  const { sql, parameters } = query.compile()
  return { sql, parameters: parameters.map(storable), use: "once" }
}

export const raw = <Row = unknown>(sql: string): Statement<Row> => ({ sql, parameters: [], use: "once" })

/** Stands for a value that is only known when the statement runs. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Compiles once; each call fills in the named values. For what runs on every tool call. */
export function prepare<Name extends string, Row>(
  names: readonly Name[],
  build: (slots: Readonly<Record<Name, string>>) => Compilable<Row>,
): (values: Readonly<Record<Name, string>>) => Statement<Row> {
  // Kysely passes values on untouched, so that a slot may travel where the types expect the text it stands for.
  const slots = Object.fromEntries(names.map((name) => [name, new Slot(name)])) as unknown as Record<Name, string>
  const { sql, parameters } = build(slots).compile()
  return (values) => ({
    sql,
    parameters: parameters.map((parameter) => (parameter instanceof Slot ? storable(values[parameter.name as Name]) : parameter)), // slots have no other names
    use: "reused",
  })
}
