// Counts what a run of Vitest really did: what did not run has failed.
//
// A test file whose process crashes is reported as passed, with its tests still pending. So every test that was
// found and did not run counts as a failure, and so does every file that reported no test at all.

export type Count = { readonly passed: number; readonly failed: number; readonly notRun: readonly string[] }

/** The part of Vitest's JSON report that is counted. */
type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: "passed" | "failed" | "pending" | "skipped" | "todo"
    }[]
  }[]
}

/** `files` must all be in the report; a run that ended badly (`isGood` is false) has at least one failure. */
export function countTests(json: string | null, files: readonly string[], isGood: boolean): Count {
  if (json === null) return { passed: 0, failed: 1, notRun: ["Vitest wrote no report"] }
  const { testResults } = JSON.parse(json) as Report // Vitest's own format
  const tests = testResults.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })))
  const reported = new Set(tests.map((test) => test.file))
  const notRun = [
    ...new Set([...files, ...testResults.map((file) => file.name)].filter((file) => !reported.has(file))),
    ...tests.filter((test) => test.status === "pending").map((test) => `${test.file}: ${test.fullName}`),
  ]
  const failed = tests.filter((test) => test.status === "failed").length + notRun.length
  return { passed: tests.filter((test) => test.status === "passed").length, failed: Math.max(failed, isGood ? 0 : 1), notRun }
}
