// How well questions about the project's own documents are answered, by words alone, on both databases.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { createExecutor } from "../../src/index.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { docsFiles, docsQuestions, recallAt5 } from "./docs-corpus.ts"

/** What both reach today is higher; documents change, and one question more or less is no defect. */
const recallMin = 0.85

test("every question names a document that is there", () => {
  const sources = docsFiles().map(({ source }) => source)
  expect(docsQuestions.length).toBeGreaterThanOrEqual(40)
  expect(docsQuestions.filter(({ source }) => !sources.includes(source))).toEqual([])
})

test.each(["SQLite", "PostgreSQL"])("questions find their document by words on %s", async (database) => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-eval-"))
  const postgres = database === "PostgreSQL" ? await sharedPostgres() : null
  const databaseUrl = await postgres?.createDatabase()
  vi.stubEnv("EXECUTOR_SECRET_KEY", "a key of this test and nothing else")
  const executor = await createExecutor({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
  try {
    await executor.pipelines.create({ name: "Docs" })
    for (const file of docsFiles()) await executor.pipelines.documents.add("docs", file)
    const { recall, missed } = await recallAt5(executor.pipelines, "docs")
    expect({ recall, missed }).toSatisfy((found: { recall: number }) => found.recall >= recallMin)
  } finally {
    await executor.close()
    vi.unstubAllEnvs()
    await postgres?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
