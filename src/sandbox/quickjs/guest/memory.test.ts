// Tests the memory budgets of the pool: what goes to disk comes back whole, and who has too much waits or is told.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { SandboxAnswer } from "../../sandbox.ts"
import { createLedgerHost, envelope, failureOf, resultOf, runWith } from "../../testing/host.ts"
import { sandboxOpener } from "../testing/open.ts"

const megabyte = 2 ** 20
const longWait = { timeout: 60_000 }
const directory = mkdtempSync(join(tmpdir(), "executor-spill-"))
afterAll(() => rmSync(directory, { recursive: true }))
const spillDir = join(directory, "made", "when-needed")
const open = sandboxOpener(spillDir)
/** A file is there. */
const unwritable = join(directory, "a-file")
const openUnwritable = sandboxOpener(unwritable)

function createGate() {
  const { promise, resolve } = Promise.withResolvers<SandboxAnswer>()
  return { promise, open: () => resolve(envelope("open")) }
}

/** Fills memory with a pattern of its own, waits twice, and looks at it after each time. */
const patterned = (n: number, megabytes: number): string => `
  const bytes = new Uint8Array(${megabytes} * 2 ** 20)
  for (let i = 0; i < bytes.length; i += 512) bytes[i] = (i / 512 + ${n}) % 251
  const texts = new Map([[${n}, { text: "kept " + ${n} }]])
  const isWhole = (round) => {
    for (let i = 0; i < bytes.length; i += 512) if (bytes[i] !== (i / 512 + ${n} + round) % 251) return false
    return texts.get(${n}).text === "kept " + ${n}
  }
  const seen = []
  for (let round = 0; round < 2; round++) {
    await tools.wait({ round, n: ${n} })
    seen.push(isWhole(round))
    for (let i = 0; i < bytes.length; i += 512) bytes[i] = (i / 512 + ${n} + round + 1) % 251
  }
  return seen`

describe("memory over the budget of a principal", () => {
  test("goes to disk, and comes back whole, twice", async () => {
    const sandbox = open({ executionsMemoryBytesPerPrincipalMax: 48 * megabyte }, { workers: 1 })
    const gates = [createGate(), createGate()]
    const host = createLedgerHost((call) => gates[(JSON.parse(call.argsJson) as { round: number }).round]?.promise ?? envelope(0))
    const runs = Array.from({ length: 12 }, (_, n) => runWith(sandbox, patterned(n, 16), host, { principal: "many" }))
    await expect.poll(() => sandbox.stats().spilledBytes, longWait).toBeGreaterThanOrEqual(9 * 16 * megabyte)
    expect(sandbox.stats().residentBytes).toBeLessThanOrEqual(48 * megabyte)
    expect(readdirSync(spillDir)).toEqual([])
    expect(resultOf(await runWith(sandbox, "return 1", createLedgerHost(), { principal: "other" }))).toBe(1)
    gates[0]?.open()
    await expect.poll(() => host.calls.length, longWait).toBe(24)
    gates[1]?.open()
    expect((await Promise.all(runs)).map(resultOf)).toEqual(runs.map(() => [true, true]))
    await expect.poll(() => sandbox.stats(), longWait).toMatchObject({ residentBytes: 0, spilledBytes: 0, running: 0 })
  })

  test("of many small executions as well, in fast threads", async () => {
    const sandbox = open({ executionsMemoryBytesPerPrincipalMax: 1 * megabyte }, { workers: 1, instancesPerWorker: 2 })
    const gate = createGate()
    const host = createLedgerHost(() => gate.promise)
    const runs = Array.from({ length: 60 }, (_, n) =>
      runWith(sandbox, `const mine = "x".repeat(${n * 100}); await tools.wait({ n: ${n} }); return mine.length`, host, {
        principal: "many",
      }),
    )
    await expect.poll(() => host.calls.length, longWait).toBe(60)
    await expect.poll(() => sandbox.stats().spilledBytes, longWait).toBeGreaterThan(4 * megabyte)
    expect(sandbox.stats()).toMatchObject({ moved: 0 })
    gate.open()
    expect((await Promise.all(runs)).map(resultOf)).toEqual(runs.map((_, n) => n * 100))
  })

  test("is given back when they are cancelled", async () => {
    const sandbox = open({ executionsMemoryBytesPerPrincipalMax: 20 * megabyte }, { workers: 1 })
    const controller = new AbortController()
    const host = createLedgerHost(() => new Promise(() => {}))
    const runs = Array.from({ length: 4 }, (_, n) => runWith(sandbox, patterned(n, 12), host, { signal: controller.signal }))
    await expect.poll(() => sandbox.stats().spilledBytes, longWait).toBeGreaterThanOrEqual(36 * megabyte)
    controller.abort()
    expect((await Promise.all(runs)).map((outcome) => failureOf(outcome).code)).toEqual(runs.map(() => "cancelled"))
    await expect.poll(() => sandbox.stats(), longWait).toMatchObject({ residentBytes: 0, spilledBytes: 0 })
  })
})

test("over the budget of the process, principals that are within their own give way too", async () => {
  const sandbox = open({ executionsMemoryBytesMax: 40 * megabyte }, { workers: 1 })
  const gate = createGate()
  const host = createLedgerHost(() => gate.promise)
  const runs = Array.from({ length: 6 }, (_, n) => runWith(sandbox, patterned(n, 12), host, { principal: `one of many ${n}` }))
  await expect.poll(() => sandbox.stats().spilledBytes, longWait).toBeGreaterThanOrEqual(3 * 12 * megabyte)
  expect(sandbox.stats().residentBytes).toBeLessThanOrEqual(40 * megabyte)
  gate.open()
  expect((await Promise.all(runs)).map(resultOf)).toEqual(runs.map(() => [true, true]))
})

describe("where there is no room on disk", () => {
  test("the principal's next executions wait in line, and others do not", async () => {
    const limits = { executionsMemoryBytesPerPrincipalMax: 1, executionsDiskBytesPerPrincipalMax: 80 * megabyte }
    const sandbox = open(limits, { workers: 1 })
    const gate = createGate()
    const host = createLedgerHost(() => gate.promise)
    const first = runWith(sandbox, patterned(1, 18), host, { principal: "many" })
    await expect.poll(() => sandbox.stats().spilledBytes, longWait).toBeGreaterThanOrEqual(18 * megabyte)
    const second = runWith(sandbox, "return 2", host, { principal: "many" })
    expect(resultOf(await runWith(sandbox, "return 1", host, { principal: "other" }))).toBe(1)
    expect(sandbox.stats()).toMatchObject({ queued: 1, running: 1 })
    gate.open()
    expect(resultOf(await second)).toBe(2)
    expect(resultOf(await first)).toEqual([true, true])
  })

  test("an execution that would not fit is ended, and told why", async () => {
    const limits = { executionsMemoryBytesPerPrincipalMax: 1, executionsDiskBytesPerPrincipalMax: 10 * megabyte }
    const sandbox = open(limits, { workers: 1 })
    const outcome = await runWith(sandbox, patterned(1, 18))
    expect(failureOf(outcome)).toMatchObject({ code: "memory_limit", message: expect.stringContaining("memory and disk") })
    expect(sandbox.stats()).toMatchObject({ residentBytes: 0, spilledBytes: 0 })
  })

  test("a directory that cannot be written ends the execution that needs it, and no other", async () => {
    writeFileSync(unwritable, "")
    const sandbox = openUnwritable({ executionsMemoryBytesPerPrincipalMax: 20 * megabyte }, { workers: 1 })
    const gate = createGate()
    const host = createLedgerHost(() => gate.promise)
    const runs = [1, 2].map((n) => runWith(sandbox, patterned(n, 12), host, { principal: "many" }))
    const failed = await Promise.race(runs)
    expect(failureOf(failed)).toMatchObject({ code: "memory_limit", message: expect.stringContaining("could not write") })
    expect(resultOf(await runWith(sandbox, "return 1", host, { principal: "other" }))).toBe(1)
    gate.open()
    expect((await Promise.all(runs)).filter((outcome) => outcome.status === "returned")).toHaveLength(1)
  })
})

test("an instance that grew under one execution leaves the next all of its memory", async () => {
  const sandbox = open({}, { workers: 1, instancesPerWorker: 1 })
  const gate = createGate()
  const host = createLedgerHost(() => gate.promise)
  const runs = Array.from({ length: 4 }, (_, n) => runWith(sandbox, patterned(n, 43), host, { principal: `own ${n}` }))
  await expect.poll(() => host.calls.length, longWait).toBe(4)
  gate.open()
  expect((await Promise.all(runs)).map(resultOf)).toEqual(runs.map(() => [true, true]))
})
