// Calls operations of real documents through the product, and lets Prism judge the requests that arrive.
//
// Arguments are made from each tool's own input schema: once the least that is accepted, once everything. `npm test` takes
// some operations of some documents; `EXECUTOR_JUDGE_FULL=1` takes all, and then no exception may be left over.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { corpusDocuments, githubDocument, ownDocuments } from "./documents.ts"
import type { JudgedDocument } from "./documents.ts"
import { examine } from "./examine.ts"
import type { Examination } from "./examine.ts"
import { exceptions } from "./exceptions.ts"
import { startRecorder } from "./recorder.ts"
import type { Recorder } from "./recorder.ts"
import { printFinding, printReport, reportOf } from "./report.ts"

const isFull = process.env["EXECUTOR_JUDGE_FULL"] === "1"
const share = isFull ? Number.POSITIVE_INFINITY : 30
const githubShare = isFull ? Number.POSITIVE_INFINITY : 200
/** Large documents take Prism a second each, so that a few must do. */
const sampleNames = /^(ably|asana|bbc|dnd5e|etsi|hetzner|lufthansa|mercedes-benz\.com__configurator|spacetraders|wowza)/

let executor: Executor
let recorder: Recorder
const dataDir = mkdtempSync(join(tmpdir(), "executor-judge-"))
const examinations: Examination[] = []

beforeAll(async () => {
  recorder = await startRecorder()
  executor = await createExecutor({ dataDir })
})
afterAll(async () => {
  await executor.close()
  await recorder.close()
  rmSync(dataDir, { recursive: true })
  console.log(printReport(reportOf(examinations)))
})

async function judge(document: JudgedDocument, count: number): Promise<void> {
  const examination = await examine(document, count, { executor, recorder })
  examinations.push(examination)
  expect(reportOf([examination]).findings.map(printFinding).join("\n")).toBe("")
  expect(examination.toolsChecked).toBe(Math.min(count, examination.operations))
}

describe("the requests of", () => {
  test("GitHub are right, and the judge sees all of them", { timeout: 300_000 }, async () => {
    await judge(githubDocument(), githubShare)
    expect(examinations.at(-1)?.unwatched).toEqual([])
    expect(examinations.at(-1)?.setAside).toEqual({})
  })

  test.each(ownDocuments())("$name are right", { timeout: 60_000 }, (document) => judge(document, Number.POSITIVE_INFINITY))

  const corpus = corpusDocuments().filter(({ name }) => isFull || sampleNames.test(name))
  test.runIf(corpus.length > 0).each(corpus)("$name are right", { timeout: 600_000 }, (document) => judge(document, share))
})

test.runIf(isFull)("no exception has become needless", () => {
  const { excepted } = reportOf(examinations)
  const isExamined = (name: string): boolean => examinations.some(({ document }) => document.startsWith(name))
  expect(exceptions.filter((exception) => isExamined(exception.document) && !excepted.has(exception))).toEqual([])
})
