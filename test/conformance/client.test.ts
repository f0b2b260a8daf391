// The official conformance suite for clients: a quick part of it, or with EXECUTOR_CONFORMANCE_FULL all that is required.
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runSuite } from "./server-suite.ts"

const newest = "2026-07-28"
const before = "2025-11-25"
const isFull = process.env["EXECUTOR_CONFORMANCE_FULL"] !== undefined
const command = `${process.execPath} ${join(import.meta.dirname, "client.ts")}`

async function passes(...args: string[]): Promise<void> {
  const { exitCode, output } = await runSuite(["client", "--command", command, ...args])
  expect({ exitCode, output: exitCode === 0 ? "" : output.slice(-6000) }).toEqual({ exitCode: 0, output: "" })
}

describe.runIf(isFull)("everything that a revision requires of a client", () => {
  test.each([newest, before])("%s", { timeout: 900_000 }, (revision) => passes("--requirements", revision))
})

describe.runIf(!isFull)("a part of what is required of a client", () => {
  test.each([
    ["request-metadata", newest],
    ["sep-2322-client-request-state", newest],
    ["http-custom-headers", newest],
    ["http-invalid-tool-headers", newest],
    ["json-schema-ref-no-deref", newest],
    ["auth/scope-step-up", newest],
    ["auth/iss-wrong-issuer", newest],
    ["initialize", before],
    ["elicitation-sep1034-client-defaults", before],
    ["sse-retry", before],
  ])("%s of %s", (scenario, revision) => passes("--scenario", scenario, "--spec-version", revision))
})
