// The official conformance suite for servers: a quick part of it, or with EXECUTOR_CONFORMANCE_FULL all that is required.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startConformanceHost } from "./server-host.ts"
import type { ConformanceHost } from "./server-host.ts"
import { runSuite } from "./server-suite.ts"

let host: ConformanceHost
beforeAll(async () => {
  host = await startConformanceHost()
})
afterAll(() => host.close())

const newest = "2026-07-28"
const before = "2025-11-25"

async function passes(url: string, scenario: string, revision: string): Promise<void> {
  const { exitCode, output } = await runSuite(["server", "--url", url, "--scenario", scenario, "--spec-version", revision])
  expect(output).toMatch(/[1-9]\d*\/\d+ passed|Passed: [1-9]|[1-9]\d* passed/)
  expect({ exitCode, output: exitCode === 0 ? "" : output.slice(-3000) }).toEqual({ exitCode: 0, output: "" })
}

const isFull = process.env["EXECUTOR_CONFORMANCE_FULL"] !== undefined

describe.runIf(isFull)("everything that a revision requires of a server, of the fixture behind the pass-through", () => {
  test.each([newest, before])("%s", { timeout: 300_000 }, async (revision) => {
    const url = `${host.directUrl}?elicitation_mode=native`
    const { exitCode, output } = await runSuite(["server", "--url", url, "--requirements", revision, "--timeout", "60000"])
    expect({ exitCode, output: exitCode === 0 ? "" : output.slice(-6000) }).toEqual({ exitCode: 0, output: "" })
  })
})

describe("the fixture behind the pass-through", () => {
  test.each([
    ["server-stateless", newest],
    ["input-required-result-multi-round", newest],
    ["tools-call-with-progress", newest],
    ["caching", newest],
    ["tools-call-elicitation", before],
    ["tools-call-sampling", before],
    ["completion-complete", before],
  ])("%s of %s", (scenario, revision) => passes(`${host.directUrl}?elicitation_mode=native`, scenario, revision))
})

describe("the host itself, where no fixture is needed", () => {
  test.each([
    ["tools-list", newest],
    ["dns-rebinding-protection", newest],
    ["server-sse-multiple-streams", newest],
    ["server-initialize", before],
    ["ping", before],
    ["logging-set-level", before],
    ["tools-list", before],
  ])("%s of %s", (scenario, revision) => passes(host.codeUrl, scenario, revision))
})
