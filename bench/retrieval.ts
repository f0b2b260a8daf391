// What retrieval costs and finds: 100,000 chunks indexed and asked on both databases, beside a scan of all texts in the same run.
//
// The texts are sentences of words that are as frequent as in the project's documents. `EXECUTOR_BENCH_CHUNKS` changes how
// many there are. Recall is measured on the project's documents with hand-written questions, by words alone and joined with
// vectors that stand for words, which a scripted endpoint makes.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import type { Executor } from "toolplane"
import { docsFiles, docsQuestions, recallAt5 } from "../test/eval/docs-corpus.ts"
import { startModelServer } from "../test/servers/model.ts"
import { startPostgres } from "../test/servers/postgres.ts"
import { median, quantile, table, timed } from "./measure.ts"

const chunksWanted = Number(process.env["EXECUTOR_BENCH_CHUNKS"] ?? 100_000)
const chunksPerDocument = 200
const wordsPerChunk = 220
const questionCount = 100
const dimensions = 256
process.env["EXECUTOR_SECRET_KEY"] ??= "a key of this benchmark and nothing else"

/** The same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const vocabulary = docsFiles().flatMap(({ markdown }) => markdown.match(/\p{L}{2,}/gu) ?? [])
const random = createRandom(7)
const anyWord = (): string => vocabulary[Math.floor(random() * vocabulary.length)] ?? "word"

/** A paragraph of each chunk's size has a few words that only some others have. */
function paragraph(number: number): string {
  const words = Array.from({ length: wordsPerChunk }, anyWord)
  words[10] = `topic${number % 5000}`
  words[50] = `item${number}`
  return `${words.join(" ")}.`
}

const questions = Array.from({ length: questionCount }, (_, number) =>
  [anyWord(), anyWord(), anyWord(), `topic${(number * 37) % 5000}`, anyWord()].join(" "),
)

/** What somebody without an index would do: count the question's words in every text. */
function scan(texts: readonly string[], question: string): number[] {
  const words = question.toLowerCase().split(" ")
  const scores = texts.map((text, at) => ({ at, score: words.filter((word) => text.includes(word)).length }))
  return scores
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ at }) => at)
}

type Measured = { readonly indexMs: number; readonly chunks: number; readonly queryMs: readonly number[] }

async function measure(executor: Executor): Promise<Measured> {
  const { pipelines } = executor
  await pipelines.create({ name: "Large", chunking: { tokens: 400, overlap: 0 } })
  const documents = Math.ceil(chunksWanted / chunksPerDocument)
  let indexMs = 0
  for (let number = 0; number < documents; number += 1) {
    const from = number * chunksPerDocument
    const markdown = Array.from({ length: chunksPerDocument }, (_, at) => `# Section ${from + at}\n\n${paragraph(from + at)}`).join("\n\n")
    indexMs += await timed(() => pipelines.documents.add("large", { source: `${number}`, markdown }))
  }
  for (const query of questions.slice(0, 10)) await pipelines.query("large", { query })
  const queryMs: number[] = []
  for (const query of questions) queryMs.push(await timed(() => pipelines.query("large", { query })))
  return { indexMs, chunks: (await pipelines.get("large")).chunks, queryMs }
}

/** By words alone, and joined with vectors. */
async function quality(executor: Executor, baseUrl: string): Promise<{ words: number; joined: number; joinedMs: number }> {
  const { pipelines, models } = executor
  await models.providers.create({ id: "scripted", kind: "openai_compatible", baseUrl })
  await pipelines.create({ name: "Docs words" })
  await pipelines.create({ name: "Docs joined", embedding: { provider: "scripted", model: "words", dimensions } })
  for (const id of ["docs_words", "docs_joined"]) for (const file of docsFiles()) await pipelines.documents.add(id, file)
  while ((await pipelines.get("docs_joined")).index.status !== "ready") await new Promise((resolve) => setTimeout(resolve, 50))
  const words = (await recallAt5(pipelines, "docs_words")).recall
  let joined = 0
  const joinedMs = await timed(async () => (joined = (await recallAt5(pipelines, "docs_joined")).recall))
  return { words, joined, joinedMs: joinedMs / docsQuestions.length }
}

const model = await startModelServer([], { dimensions })
const postgres = await startPostgres()
const rows: string[][] = []
const recalls: string[][] = []

const texts = Array.from({ length: chunksWanted }, (_, number) => paragraph(number).toLowerCase())
const scanMs: number[] = []
for (const question of questions.slice(0, 20)) scanMs.push(await timed(async () => scan(texts, question)))
texts.length = 0
rows.push(["scan of all texts", String(chunksWanted), "—", "—", median(scanMs).toFixed(1), quantile(scanMs, 0.95).toFixed(1), "1.00"])

for (const [name, databaseUrl] of [["SQLite (FTS5)", undefined] as const, ["PostgreSQL (GIN)", await postgres.createDatabase()] as const]) {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
  const executor = await createExecutor({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
  const found = await quality(executor, model.baseUrl)
  recalls.push([name, found.words.toFixed(3), found.joined.toFixed(3), found.joinedMs.toFixed(1)])
  const { indexMs, chunks, queryMs } = await measure(executor)
  const perSecond = Math.round(chunks / (indexMs / 1000))
  rows.push([
    name,
    String(chunks),
    (indexMs / 1000).toFixed(1),
    String(perSecond),
    median(queryMs).toFixed(1),
    quantile(queryMs, 0.95).toFixed(1),
    (median(queryMs) / median(scanMs)).toFixed(3),
  ])
  process.stderr.write(`${name}: ${rows.at(-1)?.join("  ")}; recall ${recalls.at(-1)?.join("  ")}\n`)
  await executor.close()
  rmSync(dataDir, { recursive: true, force: true })
}
await postgres.stop()
await model.close()

table(["", "chunks", "index s", "chunks/s", "query p50 ms", "p95 ms", "of the scan"], rows)
process.stdout.write(`\n${docsQuestions.length} questions about ${docsFiles().length} documents, recall@5\n`)
table(["", "words", "joined with vectors", "ms a question"], recalls)
