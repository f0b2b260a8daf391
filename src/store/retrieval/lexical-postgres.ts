// Full-text search on PostgreSQL: `tsvector` with a GIN index.
//
// PostgreSQL's own ranking does not know how rare a word is, and ranks every row that matches, which for a common word is
// most of them. So it is first asked how many chunks have each word, up to a limit; then those with the rarest words are
// ranked, each word by its rarity. A word that only its index has keeps the indexes of all tenants apart in the one table.
import type { Reader } from "../session.ts"
import type { Statement } from "../statement.ts"
import { chunks as pieces } from "../queries/chunks.ts"
import type { Lexical, LexicalIndex, LexicalSearch } from "./lexical.ts"
import { countMax, fieldWeights, rankedMax, splitByCount } from "./lexical.ts"
import { wordText } from "./words.ts"

const statement = <Row>(sql: string, parameters: readonly unknown[]): Statement<Row> => ({ sql, parameters, use: "once" })

/** The smallest first, as PostgreSQL wants them: of the letters D, C, B and A. */
const weights = [fieldWeights.body, fieldWeights.body, fieldWeights.heading, fieldWeights.title].map(
  (weight) => weight / fieldWeights.title,
)
const weightsText = `'{${weights.join(", ")}}'`

const insertText = `
  insert into pipeline_words (tenant_id, document_id, chunk_no, words)
  select $1, $2, c.chunk_no, array_to_tsvector(array[$3]) || setweight(to_tsvector('executor_words', $4), 'A')
    || setweight(to_tsvector('executor_words', c.heading), 'B') || to_tsvector('executor_words', c.body)
  from unnest($5::bigint[], $6::text[], $7::text[]) as c(chunk_no, heading, body)`

export const postgresLexical: Lexical = {
  create: async () => {},

  async insert(session, { tenant, id }, document, chunks) {
    const title = wordText(document.title)
    for (const some of pieces(chunks)) {
      const headings = some.map(({ heading }) => wordText(heading))
      const bodies = some.map(({ body }) => wordText(body))
      await session.change(statement(insertText, [tenant, document.id, id, title, some.map(({ chunkNo }) => chunkNo), headings, bodies]))
    }
  },

  async remove(session, { tenant }, numbers) {
    for (const some of pieces(numbers))
      await session.change(statement("delete from pipeline_words where tenant_id = $1 and chunk_no = any($2::bigint[])", [tenant, some]))
  },

  drop: async () => {},

  async search(reader, index, search) {
    const counts = await countTerms(reader, index, search.terms)
    const { rare, common } = splitByCount(search.terms, counts)
    if (rare.length === 0) return []
    const weighted = [...rare, ...common].map((term) => {
      const count = counts[search.terms.indexOf(term)] ?? 0
      return { term, weight: Math.log(1 + (Math.max(index.chunkCount, count) - count + 0.5) / (count + 0.5)) }
    })
    return ranked(reader, index, { ...search, required: rare, weighted })
  },
}

/** A statement with `$1` the tenant and `$2` the word of the index. */
async function countTerms(reader: Reader, { tenant, id }: LexicalIndex, terms: readonly string[]): Promise<number[]> {
  const count = (at: number): string =>
    `(select count(*) from (select 1 from pipeline_words where tenant_id = $1 and words @@ (${scopeQuery("$2")} && ${termQuery(at + 3)}) limit ${countMax}) as found) as n${at}`
  const sql = `select ${terms.map((_, at) => count(at)).join(", ")}`
  const [row] = await reader.all(statement<Record<string, string>>(sql, [tenant, id, ...terms]))
  return terms.map((_, at) => Number(row?.[`n${at}`] ?? 0))
}

type RankedSearch = LexicalSearch & {
  /** A chunk must have one of these. */
  readonly required: readonly string[]
  readonly weighted: readonly { readonly term: string; readonly weight: number }[]
}

async function ranked(reader: Reader, { tenant, id }: LexicalIndex, search: RankedSearch) {
  const { weighted, required, documents, limit } = search
  const termAt = (at: number): string => termQuery(at + 5)
  const rank = weighted.map(({ weight }, at) => `${weight.toFixed(6)} * ts_rank(${weightsText}, words, ${termAt(at)})`).join(" + ")
  const some = weighted.flatMap(({ term }, at) => (required.includes(term) ? [termAt(at)] : [])).join(" || ")
  const sql = `
    select chunk_no, ${rank} as rank from (
      select chunk_no, words from pipeline_words
      where tenant_id = $1 and words @@ (${scopeQuery("$2")} && (${some})) and ($4::text[] is null or document_id = any($4::text[]))
      limit ${rankedMax}
    ) as matched
    order by rank desc, chunk_no limit $3`
  const parameters = [tenant, id, limit, documents, ...weighted.map(({ term }) => term)]
  const rows = await reader.all(statement<{ chunk_no: string; rank: number }>(sql, parameters))
  return rows.map((row) => ({ chunkNo: Number(row.chunk_no), score: row.rank }))
}

/** A term has letters and digits only, so that it is one word to the parser. */
const termQuery = (parameter: number): string => `to_tsquery('executor_words', $${parameter}::text)`
/** The word as it is, not its stem. */
const scopeQuery = (parameter: string): string => `quote_literal(${parameter}::text)::tsquery`
