// What handlers may do wrong, and what reaches the caller of it.
import { afterAll, describe, expect, test } from "vitest"
import { z } from "zod"
import type { CallNotice } from "../../core/call/notice.ts"
import type { ToolResult } from "../../core/result.ts"
import type { StandardSchema } from "../../plugin/standard-schema.ts"
import { ToolError } from "../../plugin/tool-error.ts"
import { call, closedNetwork, openNetwork } from "./testing/call.ts"

afterAll(async () => {
  await openNetwork.close()
  await closedNetwork.close()
})

const throwing = (thrown: unknown): Promise<ToolResult> =>
  call(() => {
    throw thrown
  })

describe("what is thrown", () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error("no")
      },
      has: () => {
        throw new Error("no")
      },
    },
  )

  test.each<[string, unknown, object]>([
    ["an Error", new Error("it broke"), { code: "upstream_error", message: "it broke" }],
    ["a text", "plain", { code: "upstream_error", message: "plain" }],
    ["nothing", undefined, { code: "upstream_error", message: expect.stringContaining("without saying why") }],
    ["null", null, { code: "upstream_error" }],
    ["a symbol", Symbol("s"), { code: "upstream_error", message: "Symbol(s)" }],
    ["what throws when it is read", hostile, { code: "upstream_error" }],
    ["an error of Node", Object.assign(new Error("refused"), { code: "ECONNREFUSED" }), { code: "upstream_error", message: "refused" }],
    [
      "a ToolError",
      new ToolError("rate_limited", "slow down", { status: 429, details: { after: 5 } }),
      { code: "rate_limited", status: 429, retryable: true, details: { after: 5 } },
    ],
    ["something like a ToolError", Object.assign(new Error("gone"), { code: "not_found" }), { code: "not_found", message: "gone" }],
    ["what may be an upstream's body", { code: "not_found", message: "gone" }, { code: "upstream_error", message: "gone" }],
    ["a code of the gate's", { code: "approval_required", message: "let me" }, { code: "upstream_error" }],
    ["a bug's code", { code: "internal", message: "x" }, { code: "upstream_error" }],
    [
      "details that are circular",
      (() => {
        const error = new ToolError("conflict", "x", { details: {} })
        ;(error.details as Record<string, unknown>)["self"] = error
        return error
      })(),
      { code: "conflict" },
    ],
    ["a message without end", new Error("x".repeat(100_000)), { message: "x".repeat(1000) }],
  ])("%s", async (_name, thrown, error) => {
    const result = await throwing(thrown)
    expect(result).toMatchObject({ ok: false, error })
    expect(JSON.stringify(result)).not.toContain("handler-call")
  })

  test("a rejection that nobody waits for does not end the process", async () => {
    const result = await call((ctx) => {
      void ctx.fetch("http://127.0.0.1:1/")
      void ctx.auth.getToken("nope")
      void ctx.elicit({ message: "", url: "x" })
      return "done"
    })
    expect(result).toEqual({ ok: true, data: "done" })
  })
})

describe("what is answered", () => {
  const circular: Record<string, unknown> = { name: "a" }
  circular["self"] = circular
  const twice = { a: 1 }

  test.each<[string, unknown, unknown]>([
    ["nothing", undefined, null],
    ["big integers", { small: 12n, big: 2n ** 70n }, { small: 12, big: "1180591620717411303424" }],
    ["a circle", circular, { name: "a", self: "[Circular]" }],
    ["the same object twice", [twice, twice], [{ a: 1 }, { a: 1 }]],
    [
      "maps, sets, dates and errors",
      { map: new Map([["k", 1]]), set: new Set([1]), date: new Date(0), error: new TypeError("x") },
      { map: { k: 1 }, set: [1], date: "1970-01-01T00:00:00.000Z", error: { name: "TypeError", message: "x" } },
    ],
    [
      "functions, symbols and holes",
      { f: () => 1, s: Symbol("s"), list: [undefined, () => 1], nan: Number.NaN },
      { list: [null, null], nan: "NaN" },
    ],
    [
      "bytes",
      Buffer.from("hi"),
      { _tag: "ToolFile", mimeType: "application/octet-stream", encoding: "base64", data: "aGk=", byteLength: 2 },
    ],
    ["toJSON", { toJSON: () => ({ shown: true }) }, { shown: true }],
    ["a prototype's name", JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
  ])("%s", async (_name, answer, data) => {
    const result = await call(() => answer)
    expect(result).toEqual({ ok: true, data })
    expect(() => JSON.stringify(result)).not.toThrow()
  })

  test("too much, too deep and too much in disguise are refused", async () => {
    let deep: unknown = 1
    for (let at = 0; at < 50_000; at += 1) deep = [deep]
    let wide: unknown = ["x".repeat(100)]
    for (let at = 0; at < 40; at += 1) wide = [wide, wide]
    const endless = new Proxy([], { get: (target, key) => (key === "length" ? 4_000_000_000 : (Reflect.get(target, key) ?? "x")) })
    for (const answer of ["x".repeat(200_000), deep, wide, new Uint8Array(100_000), endless, Array(4_000_000_000), [Array(10 ** 9)]])
      expect(await call(() => answer)).toMatchObject({ ok: false, error: { code: "response_too_large" } })
  })

  test("what throws while it is read is the plugin's failure", async () => {
    const trap = {
      get secret(): string {
        throw new Error("trap")
      },
    }
    expect(await call(() => trap)).toMatchObject({ ok: false, error: { code: "upstream_error", message: "trap" } })
    // oxlint-disable-next-line unicorn/no-thenable -- a handler may answer one
    expect(await call(() => ({ then: (_: unknown, reject: (error: unknown) => void) => reject("thenable") }))).toMatchObject({
      ok: false,
      error: { message: "thenable" },
    })
  })

  test("a Response that was not read is explained", async () => {
    expect(await call(() => new Response("{}"))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("response.json()") },
    })
  })
})

describe("schemas", () => {
  test.each<[string, unknown, string]>([
    ["null", null, "neither a value nor issues"],
    ["nothing", undefined, "neither a value nor issues"],
    ["an issue without a message", { issues: [{}] }, "does not fit the schema"],
    ["an issue that is none", { issues: [null, 5, { path: [null, { key: "a" }], message: 7 }] }, "does not fit the schema"],
  ])("a library that answers %s is said to", async (_name, answer, message) => {
    const inputSchema = { "~standard": { version: 1, vendor: "odd", validate: () => answer } } as unknown as StandardSchema // wrong on purpose
    expect(await call(() => 1, { inputSchema })).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } })
    expect(await call(() => 1, { outputSchema: inputSchema })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(message) },
    })
  })

  test("input is validated with refinements, defaults and transformations", async () => {
    const inputSchema = z
      .object({ from: z.int(), to: z.int().default(9) })
      .refine((range) => range.from < range.to, { error: "from must be before to", path: ["from"] })
    expect(await call((_ctx, input) => input, { inputSchema, args: { from: 1 } })).toEqual({ ok: true, data: { from: 1, to: 9 } })
    expect(await call((_ctx, input) => input, { inputSchema, args: { from: 10 } })).toEqual({
      ok: false,
      error: {
        code: "invalid_arguments",
        message: "from must be before to",
        details: { issues: [{ path: "from", code: "invalid_value", message: "from must be before to" }] },
      },
    })
  })

  test("the handler cannot change what its caller gave", async () => {
    const pass: StandardSchema = { "~standard": { version: 1, vendor: "mine", validate: (value) => ({ value }) } }
    const args = { list: [1] }
    await call((_ctx, input) => (input as typeof args).list.push(2), { inputSchema: pass, args })
    expect(args).toEqual({ list: [1] })
  })

  test("a prototype in the arguments reaches no handler", async () => {
    const pass: StandardSchema = { "~standard": { version: 1, vendor: "mine", validate: (value) => ({ value }) } }
    const args = JSON.parse('{"a":[{"__proto__":{"polluted":true}}]}') as Record<string, unknown>
    let wasCalled = false
    const result = await call(() => (wasCalled = true), { inputSchema: pass, args })
    expect(result).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments", details: { issues: [{ path: "a[0].__proto__", code: "unexpected_field" }] } },
    })
    expect(wasCalled || "polluted" in {}).toBe(false)
  })

  test("an answer against the output schema names the plugin", async () => {
    expect(await call(() => ({ count: "many" }), { outputSchema: z.object({ count: z.number() }) })).toMatchObject({
      ok: false,
      error: {
        code: "upstream_error",
        message: expect.stringMatching(/^The plugin 'odd' returned a result from 'odd\.things\.do' .* at 'count'/),
        details: { issues: [{ path: "count" }] },
      },
    })
  })

  test("a validator that throws is the plugin's failure", async () => {
    const bad: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "mine",
        validate: () => {
          throw new Error("bad validator")
        },
      },
    }
    expect(await call(() => 1, { inputSchema: bad })).toMatchObject({
      ok: false,
      error: { code: "upstream_error", message: "bad validator" },
    })
  })
})

describe("time", () => {
  const never = new Promise<never>(() => {})

  test("a handler that never settles is left at its timeout", async () => {
    let signal: AbortSignal | undefined
    const result = await call((ctx) => ((signal = ctx.signal), never), { timeoutMs: 50 })
    expect(result).toEqual({
      ok: false,
      error: { code: "timeout", message: "'odd.things.do' of the plugin 'odd' did not answer within 50 ms", retryable: true },
    })
    expect(signal?.aborted).toBe(true)
  })

  test("cancelling does not wait for a handler that ignores it", async () => {
    const cancelling = new AbortController()
    const result = call(() => never, { signal: cancelling.signal })
    cancelling.abort()
    expect(await result).toMatchObject({ ok: false, error: { code: "timeout", message: "The call was cancelled" } })
    expect(await call(() => never, { signal: AbortSignal.abort() })).toMatchObject({ ok: false, error: { code: "timeout" } })
  })

  test("what a handler does after its time reaches nobody", async () => {
    const notices: CallNotice[] = []
    const asked: unknown[] = []
    const after = Promise.withResolvers<void>()
    const done = Promise.withResolvers<unknown>()
    await call(
      async (ctx) => {
        await after.promise
        ctx.log.info("late")
        ctx.progress(1)
        done.resolve(await ctx.elicit({ message: "Late?", url: "https://example.com" }).catch((error: unknown) => error))
      },
      { timeoutMs: 20, notices, elicit: (request) => (asked.push(request), Promise.resolve({ action: "cancel" })) },
    )
    after.resolve()
    expect(await done.promise).toBeInstanceOf(Error)
    expect({ notices, asked }).toEqual({ notices: [], asked: [] })
  })
})
