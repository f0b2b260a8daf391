// Logs and emitted values.
import { describe, expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import type { Sandbox } from "../sandbox.ts"
import { createLedgerHost, failure, failureOf, resultOf, runWith } from "./host.ts"

export function testOutput(use: () => Sandbox): void {
  describe("output", () => {
    test("captures the console with its levels", async () => {
      const host = createLedgerHost()
      const code =
        "console.log('a', { b: [1] }, 2n); console.info(null, undefined); console.warn('w %s %d %j', 's', 3, { k: 1 }, 'more'); console.error(new Error('e').message); console.debug(new Map([['x', 1]]))"
      const outcome = await runWith(use(), code, host)
      expect(outcome.report.logs).toEqual([
        { level: "log", text: 'a {"b":[1]} 2' },
        { level: "info", text: "null undefined" },
        { level: "warn", text: 'w s 3 {"k":1} more' },
        { level: "error", text: "e" },
        { level: "debug", text: '{"x":1}' },
      ])
      expect(host.outputs).toEqual(outcome.report.logs.map((line) => ({ kind: "log", line })))
    })

    test("shows lone surrogates as the replacement character: strict readers refuse them", async () => {
      const host = createLedgerHost()
      const outcome = await runWith(use(), String.raw`console.log("a\ud800b"); emit({ x: "a\ud800b" }); throw new Error("a\ud800b")`, host)
      expect(outcome.report.logs).toEqual([{ level: "log", text: "a\uFFFDb" }])
      expect(outcome.report.emitted).toEqual(['{"x":"a\uFFFDb"}'])
      expect(failureOf(outcome)).toMatchObject({ message: "a\uFFFDb" })
    })

    test("knows the rest of the console", async () => {
      const code =
        "console.group('g'); console.log('in'); console.groupEnd(); console.assert(false, 'x'); console.assert(true, 'y'); console.count(); console.count(); console.table([1]); console.dir({ a: 1 }); console.time('t'); console.timeEnd('t')"
      const outcome = await runWith(use(), code)
      expect(outcome.report.logs.map((line) => line.text)).toEqual([
        "g",
        "  in",
        "Assertion failed x",
        "default: 1",
        "default: 2",
        "[1]",
        '{"a":1}',
        "t: 0ms",
      ])
    })

    test("shows what is no JSON without quotes, and uses up no iterator", async () => {
      const code =
        "const keys = new Map([['k', 1]]).keys(); console.log(NaN, new Date(0), new Date(NaN), /a/, keys, Promise.resolve()); return [...keys]"
      const outcome = await runWith(use(), code)
      expect(outcome.report.logs[0]?.text).toBe("NaN 1970-01-01T00:00:00.000Z Invalid Date /a/ [Map Iterator] [Promise]")
      expect(resultOf(outcome)).toEqual(["k"])
    })

    test("shows an error with its own lines", async () => {
      const outcome = await runWith(use(), "\nconsole.log(new TypeError('bad'))")
      expect(outcome.report.logs[0]?.text).toMatch(/^TypeError: bad\n\s+at .*code\.ts:2/)
    })

    test("shows what a failed call says", async () => {
      const host = createLedgerHost(() => failure("upstream_error", "Not Found", { status: 404, details: { a: 1 } }))
      const outcome = await runWith(
        use(),
        "console.error('failed', await tools.t({}).unwrap().catch((e) => e)); console.trace('here')",
        host,
      )
      const [first = "", second = ""] = outcome.report.logs.map((line) => line.text)
      expect(first).toMatch(
        /^failed ToolError: Not Found \{"code":"upstream_error","kind":"upstream_error","status":404,"details":\{"a":1\},"tool":"t"\}\n/,
      )
      for (const text of [first, second]) expect(text).toMatch(/at .*code\.ts:1/)
      expect(first + second).not.toMatch(/executor:/)
    })

    test("survives values that resist being shown", async () => {
      const outcome = await runWith(
        use(),
        "const p = new Proxy({}, { get() { throw new Error('no') }, getPrototypeOf() { throw new Error('no') } }); console.log(p); console.log({ get a() { throw 1 } }); return 1",
      )
      expect(resultOf(outcome)).toBe(1)
      expect(outcome.report.logs).toHaveLength(2)
    })

    test("keeps a bounded number of lines and counts the rest", async () => {
      const outcome = await runWith(use(), "for (let i = 0; i < 5000; i++) console.log(i); return 'done'")
      expect(resultOf(outcome)).toBe("done")
      expect(outcome.report.logs).toHaveLength(defaultLimits.logLinesMax)
      const dropped = 5000 - (defaultLimits.logLinesMax - 1)
      expect(outcome.report.logsDropped).toBe(dropped)
      expect(outcome.report.logs.at(-1)).toEqual({
        level: "warn",
        text: `… ${dropped} more lines were dropped: log less, or return the values.`,
      })
    })

    test("shows every line of code that keeps to the limit", async () => {
      const outcome = await runWith(use(), `for (let i = 1; i <= ${defaultLimits.logLinesMax}; i++) console.log(i)`)
      expect(outcome.report.logs.at(-1)).toEqual({ level: "log", text: String(defaultLimits.logLinesMax) })
      expect(outcome.report.logsDropped).toBe(0)
    })

    test("cuts a long line, so that there is room for the next", async () => {
      const outcome = await runWith(use(), "console.log('x'.repeat(2e5)); console.error('IMPORTANT')")
      expect(outcome.report.logs[0]?.text).toMatch(/^x+… \[\d+ more characters\]$/)
      expect(outcome.report.logs[1]).toEqual({ level: "error", text: "IMPORTANT" })
    })

    test("shows the beginning of a value that is too long", async () => {
      const outcome = await runWith(
        use(),
        "const a = { list: Array(5000).fill('item'), last: 1 }; console.log(a); console.log([a], 'x'); throw a",
      )
      const beginning = /^\[?\{"list":\["item",("item",){1000,}.*… \[cut\]( x)?$/
      for (const line of outcome.report.logs) expect(line.text).toMatch(beginning)
      expect(outcome.report.logs).toHaveLength(2)
      expect(failureOf(outcome).message).toMatch(beginning)
      const text = await runWith(use(), "console.log({ text: 'x'.repeat(20000) })")
      expect(text.report.logs[0]?.text).toMatch(/^\{"text":"x{9000,}… \[cut\]$/)
    })

    test("keeps a bounded number of bytes", async () => {
      const outcome = await runWith(use(), "for (let i = 0; i < 100; i++) console.log('ž'.repeat(5000)); return 'done'")
      const bytes = outcome.report.logs.reduce((sum, line) => sum + Buffer.byteLength(line.text), 0)
      expect(bytes).toBeLessThanOrEqual(defaultLimits.logBytesMax)
      expect(bytes).toBeGreaterThan(defaultLimits.logBytesMax / 2)
      expect(outcome.report.logs.at(-1)?.text).toBe(
        `… ${outcome.report.logsDropped} more lines were dropped: log less, or return the values.`,
      )
      expect(outcome.report.logs.length - 1 + outcome.report.logsDropped).toBe(100)
    })

    test("tells of rejections that nobody handled", async () => {
      const code = `Promise.reject(new TypeError('lost')); Promise.reject(new Error('constructor'))
        const late = Promise.reject(new Error('late'))
        tools.t({}).then(() => { throw { why: 1 } })
        tools.t({}).then((r) => {
          const { x } = r.data.none
        })
        await tools.u({})
        await late.catch(() => {})
        try { await Promise.reject(new Error('caught')) } catch {}
        return 'r'`
      const host = createLedgerHost()
      const outcome = await runWith(use(), code, host)
      expect(resultOf(outcome)).toBe("r")
      expect(outcome.report.logs).toEqual([
        { level: "warn", text: "Unhandled rejection: TypeError: lost (line 1)" },
        { level: "warn", text: "Unhandled rejection: Error: constructor (line 1)" },
        { level: "warn", text: 'Unhandled rejection: Error: {"why":1}' },
        { level: "warn", text: expect.stringMatching(/^Unhandled rejection: TypeError: Cannot destructure .* \(line 5\)$/) as unknown },
      ])
      expect(host.outputs).toHaveLength(4)
    })

    test("tells of the first rejections only, and not of the error that ends the code", async () => {
      const outcome = await runWith(use(), "for (let i = 0; i < 1000; i++) Promise.reject(i)\nthrow new Error('end')")
      expect(failureOf(outcome).message).toBe("end")
      expect(outcome.report.logs.map((line) => line.text)).toEqual([0, 1, 2, 3, 4].map((n) => `Unhandled rejection: Error: ${n}`))
    })

    test("emits values beside the result", async () => {
      const host = createLedgerHost()
      const outcome = await runWith(use(), "emit({ chart: [1, 2] }); emit(new Set([1n])); emit(undefined); return 'r'", host)
      expect(resultOf(outcome)).toBe("r")
      expect(outcome.report.emitted.map((json) => JSON.parse(json) as unknown)).toEqual([{ chart: [1, 2] }, ["1"], null])
      expect(host.outputs.map((output) => output.kind)).toEqual(["emit", "emit", "emit"])
    })

    test("drops what is emitted over the limit, and tells how much", async () => {
      const limit = "emit() is limited to 1048576 bytes and 4096 values per execution."
      const many = await runWith(use(), "for (let i = 0; i < 5000; i++) emit(i); return 'r'")
      expect([resultOf(many), many.report.emitted.length, many.report.emitted.at(-1)]).toEqual(["r", 4096, "4095"])
      expect(many.report.logs).toEqual([{ level: "warn", text: `904 emitted values were dropped: ${limit}` }])
      const large = await runWith(use(), "for (let i = 0; i < 12; i++) emit('x'.repeat(100000)); emit('small'); throw new Error('e')")
      expect([failureOf(large).message, large.report.emitted.length, large.report.emitted.at(-1)]).toEqual(["e", 11, '"small"'])
      expect(large.report.logs).toEqual([{ level: "warn", text: `2 emitted values were dropped: ${limit}` }])
      const huge = await runWith(use(), "emit({ a: 'ž'.repeat(2e6) }); emit(1); return 'r'")
      expect([huge.report.emitted, huge.report.logs]).toEqual([["1"], [{ level: "warn", text: `1 emitted value was dropped: ${limit}` }]])
    })

    test("tells the host while the code still runs", async () => {
      const host = createLedgerHost()
      const seen: number[] = []
      const watching = {
        ...host,
        call: async (call: Parameters<typeof host.call>[0]) => {
          seen.push(host.outputs.length)
          return host.call(call)
        },
      }
      await runWith(use(), "console.log('one'); await tools.t({}); console.log('two'); await tools.t({})", watching)
      expect(seen).toEqual([1, 2])
    })
  })
}
