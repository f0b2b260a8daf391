// Full-text search on SQLite: FTS5, with a table for each index, so that no tenant's words count in another's ranking.
import { sha256 } from "../../io/ids.ts"
import type { Reader } from "../session.ts"
import type { Statement } from "../statement.ts"
import { raw } from "../statement.ts"
import { chunks as pieces } from "../queries/chunks.ts"
import type { Lexical, LexicalIndex } from "./lexical.ts"
import { countMax, fieldWeights, rankedMax, splitByCount } from "./lexical.ts"
import { wordText } from "./words.ts"

/** Tenants may give their indexes the same id. */
const tableOf = ({ tenant, id }: LexicalIndex): string => `pipeline_words_${sha256(JSON.stringify([tenant, id])).slice(0, 32)}`

const statement = <Row>(sql: string, parameters: readonly unknown[]): Statement<Row> => ({ sql, parameters, use: "once" })

export const sqliteLexical: Lexical = {
  async create(session, index) {
    const options = `content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 0'`
    await session.change(raw(`create virtual table ${tableOf(index)} using fts5(title, heading, body, ${options})`))
  },

  async insert(session, index, { title }, chunks) {
    const sql = `insert into ${tableOf(index)} (rowid, title, heading, body) values (?, ?, ?, ?)`
    const titleWords = wordText(title)
    for (const { chunkNo, heading, body } of chunks)
      await session.change(statement(sql, [chunkNo, titleWords, wordText(heading), wordText(body)]))
  },

  async remove(session, index, numbers) {
    for (const some of pieces(numbers))
      await session.change(statement(`delete from ${tableOf(index)} where rowid in (${some.map(() => "?").join(", ")})`, some))
  },

  async drop(session, index) {
    await session.change(raw(`drop table if exists ${tableOf(index)}`))
  },

  async search(reader, index, { terms, documents, limit }) {
    const table = tableOf(index)
    const { title, heading, body } = fieldWeights
    const match = index.chunkCount <= rankedMax ? anyOf(terms) : await narrowed(reader, table, terms)
    if (match === null) return []
    const inDocuments = "and rowid in (select chunk_no from pipeline_chunks where tenant_id = ? and index_id = ? and document_id in"
    const filter = documents === null ? "" : ` ${inDocuments} (select value from json_each(?)))`
    const given = documents === null ? [] : [index.tenant, index.id, JSON.stringify(documents)]
    const rank = `bm25(${table}, ${title}.0, ${heading}.0, ${body}.0)`
    const sql = `select rowid as chunk_no, ${rank} as rank from ${table} where ${table} match ?${filter} order by rank, rowid limit ?`
    const rows = await reader.all(statement<{ chunk_no: number; rank: number }>(sql, [match, ...given, limit]))
    // The better, the lower.
    return rows.map((row) => ({ chunkNo: row.chunk_no, score: -row.rank }))
  },
}

/** A term has no character that means anything to FTS5, and in quotes it is no operator either. */
const anyOf = (terms: readonly string[]): string => terms.map((term) => `"${term}"`).join(" OR ")

/**
 * `bm25` of every chunk with a common word takes most of a search, and is small. So a chunk must have one of the rarest words;
 * the others count where it has them. Null where no word is anywhere.
 */
async function narrowed(reader: Reader, table: string, terms: readonly string[]): Promise<string | null> {
  const count = `(select count(*) from (select 1 from ${table} where ${table} match ? limit ${countMax}))`
  const counts = terms.map((_, at) => `${count} as n${at}`).join(", ")
  const [row] = await reader.all(
    statement<Record<string, number>>(
      `select ${counts}`,
      terms.map((term) => anyOf([term])),
    ),
  )
  const { rare, common } = splitByCount(
    terms,
    terms.map((_, at) => row?.[`n${at}`] ?? 0),
  )
  if (rare.length === 0) return null
  return common.length === 0 ? anyOf(rare) : `(${anyOf(rare)}) OR ((${anyOf(rare)}) AND (${anyOf(common)}))`
}
