// The project's own documents and hand-written questions about them: a small public set for retrieval.
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { PipelinesApi } from "../../src/core/retrieval/api.ts"

const root = join(import.meta.dirname, "..", "..")

export type DocsQuestion = { readonly question: string; /** The document that answers it. */ readonly source: string }

export const docsQuestions = JSON.parse(readFileSync(join(import.meta.dirname, "docs-questions.json"), "utf8")) as readonly DocsQuestion[] // written by hand

/** What is generated lists everything, and answers nothing better than what people wrote. */
const folders = ["docs/guide", "docs/decisions", "docs/design"]

export function docsFiles(): { readonly source: string; readonly markdown: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .toSorted()
      .map((name) => ({ source: `${folder}/${name}`, markdown: readFileSync(join(root, folder, name), "utf8") })),
  )
}

/** The share of questions whose document is among the first five results. */
export async function recallAt5(pipelines: Pick<PipelinesApi, "query">, id: string): Promise<{ recall: number; missed: DocsQuestion[] }> {
  const missed: DocsQuestion[] = []
  for (const one of docsQuestions) {
    const { results } = await pipelines.query(id, { query: one.question, topK: 5 })
    if (!results.some(({ source }) => source === one.source)) missed.push(one)
  }
  return { recall: 1 - missed.length / docsQuestions.length, missed }
}
