// Tests of functions that tools may call: where they run, when they end, and what comes back.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, test } from "vitest"
import { createFunctions } from "./create.ts"
import { defineFunctions } from "./define.ts"
import { sampleFunctions } from "./testing/sample-functions.ts"

const functions = createFunctions([sampleFunctions], { limits: { responseBytesMax: 1000 }, resolverUrl: null })
afterAll(() => functions.close())

const call = (name: string, args: Record<string, unknown> = {}, timeoutMs = 20_000, signal = new AbortController().signal) =>
  functions.call(name, args, { timeoutMs, signal, who: "test" })

describe("a function", () => {
  test("runs in a thread where it is synchronous, and here where it is asynchronous", async () => {
    expect(await call("double", { value: 21 })).toEqual({ ok: true, data: { value: 42, inThread: true } })
    expect(await call("later", { value: 1 })).toEqual({ ok: true, data: { value: 1, inThread: false } })
    expect(await call("promise")).toEqual({ ok: true, data: { inThread: true } })
  })

  test("that loops is ended by its deadline, and others go on", async () => {
    const looping = call("loop", {}, 300)
    expect(await call("double", { value: 1 })).toMatchObject({ ok: true })
    expect(await looping).toMatchObject({ ok: false, error: { code: "timeout", message: expect.stringContaining("'loop'") } })
  })

  test("that never settles is not waited for", async () => {
    expect(await call("never", {}, 50)).toMatchObject({ ok: false, error: { code: "timeout" } })
    const stop = new AbortController()
    const waiting = call("never", {}, 20_000, stop.signal)
    stop.abort()
    expect(await waiting).toMatchObject({ ok: false, error: { code: "timeout", message: "The call was cancelled" } })
  })

  test.each([
    ["fails", "no such customer"],
    ["failsLater", "no such order"],
    ["big", "JSON"],
  ])("%s says why", async (name, message) => {
    expect(await call(name)).toMatchObject({ ok: false, error: { code: "upstream_error", message: expect.stringContaining(message) } })
  })

  test("gives null for nothing, and no more than the limit", async () => {
    expect(await call("nothing")).toEqual({ ok: true, data: null })
    expect(await call("long")).toMatchObject({ ok: false, error: { code: "response_too_large" } })
  })

  test("that is not registered is refused with the nearest names", async () => {
    expect(await call("doubel")).toMatchObject({
      ok: false,
      error: { code: "not_found", details: { suggestions: ["double", expect.any(String), expect.any(String)] } },
    })
    expect(await call("toString")).toMatchObject({ ok: false, error: { code: "not_found" } })
    expect(functions.find("__proto__")).toBeNull()
  })

  test("of a program that starts the product is found without starting it again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "executor-functions-"))
    const file = join(folder, "program.ts")
    const index = new URL("../../index.ts", import.meta.url).href
    writeFileSync(
      file,
      `import { createExecutor, defineFunctions } from ${JSON.stringify(index)}
       export const functions = defineFunctions(import.meta.url, { hello: () => "hello" })
       if (globalThis.startsProduct !== false) await createExecutor({ dataDir: ${JSON.stringify(join(folder, "data"))}, functions })`,
    )
    Object.assign(globalThis, { startsProduct: false })
    const program = (await import(pathToFileURL(file).href)) as { functions: ReturnType<typeof defineFunctions> }
    const own = createFunctions([program.functions], { limits: { responseBytesMax: 1000 }, resolverUrl: null })
    try {
      const run = { timeoutMs: 30_000, signal: new AbortController().signal, who: "test" }
      expect(await own.call("hello", {}, run)).toEqual({ ok: true, data: "hello" })
    } finally {
      await own.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe("defining functions", () => {
  test.each<[string, unknown, unknown, string]>([
    ["without the module's URL", "./here.ts", { a: () => 1 }, "import.meta.url"],
    ["from the network", "https://example.com/a.js", { a: () => 1 }, "import.meta.url"],
    ["as a list", import.meta.url, [], "object of functions"],
    ["with a name of spaces", import.meta.url, { "a b": () => 1 }, "must match"],
    ["without a function", import.meta.url, { a: { reads: true } }, "must be a function"],
    ["with another word for true", import.meta.url, { a: { run: () => 1, reads: "yes" } }, "true or false"],
  ])("%s is refused", (_name, url, given, message) => {
    expect(() => (defineFunctions as (url: unknown, given: unknown) => unknown)(url, given)).toThrow(message)
  })

  test("twice under one name is refused", () => {
    expect(() => createFunctions([sampleFunctions, sampleFunctions], { limits: { responseBytesMax: 1 }, resolverUrl: null })).toThrow(
      "'double'",
    )
  })
})
