// Calls: the `tools` proxy, envelopes and their unwrapping, raw results, values and refusals.
import { describe, expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import type { Sandbox } from "../sandbox.ts"
import { after, createLedgerHost, envelope, failure, failureOf, rejection, resultOf, runWith, value } from "./host.ts"

export function testCalls(use: () => Sandbox): void {
  describe("calls", () => {
    test("reach the host with path and arguments", async () => {
      const host = createLedgerHost()
      const code = "return [await tools.a.b.c({ x: 1 }), await tools['a.b.c']({ y: 2 }), await tools.solo()]"
      expect(resultOf(await runWith(use(), code, host))).toEqual([
        { ok: true, data: { path: "a.b.c", args: { x: 1 } } },
        { ok: true, data: { path: "a.b.c", args: { y: 2 } } },
        { ok: true, data: { path: "solo", args: {} } },
      ])
      expect(host.calls.map(({ seq, kind, path }) => ({ seq, kind, path }))).toEqual([
        { seq: 0, kind: "tool", path: "a.b.c" },
        { seq: 1, kind: "tool", path: "a.b.c" },
        { seq: 2, kind: "tool", path: "solo" },
      ])
    })

    test("are keyed by content and occurrence, whatever the order of fields", async () => {
      const host = createLedgerHost()
      await runWith(
        use(),
        "await tools.t({ a: 1, b: { c: 2, d: 3 } }); await tools.t({ b: { d: 3, c: 2 }, a: 1 }); await tools.t({ a: 2 })",
        host,
      )
      const [first, second, third] = host.calls.map((call) => call.key.split(":"))
      expect(second?.[0]).toBe(first?.[0])
      expect([first?.[1], second?.[1], third?.[1]]).toEqual(["0", "1", "0"])
      expect(third?.[0]).not.toBe(first?.[0])
    })

    test("every name but `then` is a segment, at every depth", async () => {
      const host = createLedgerHost()
      const code = "await tools.delete.constructor.toString.length.toJSON({}); return [tools.then, tools.a.then, typeof tools.a.catch]"
      expect(resultOf(await runWith(use(), code, host))).toEqual([null, null, "function"])
      expect(host.calls.map((call) => call.path)).toEqual(["delete.constructor.toString.length.toJSON"])
    })

    test("the proxy cannot be enumerated, changed, or awaited into a hang", async () => {
      const code = `
        const refused = []
        for (const attempt of [() => { tools.x = 1 }, () => delete tools.x, () => Object.defineProperty(tools, 'x', {}), () => new tools.x()])
          try { attempt(); refused.push('no') } catch (e) { refused.push(e.name) }
        return [Object.keys(tools), Object.keys(tools.a), 'x' in tools, (await tools) === tools, \`\${tools.a.b}\`, typeof tools, JSON.stringify(await tools.a === undefined), refused]`
      expect(resultOf(await runWith(use(), code))).toEqual([
        [],
        [],
        false,
        true,
        "tools.a.b",
        "object",
        "false",
        Array(4).fill("TypeError"),
      ])
    })

    test("unwrap gives the data, or throws a ToolError", async () => {
      const host = createLedgerHost((call) =>
        call.path === "good"
          ? envelope({ n: 1 })
          : failure("upstream_error", "Not Found", { status: 404, details: { body: 1 }, retryable: false }),
      )
      const code = `
        const good = await tools.good().unwrap()
        try { await tools.bad().unwrap() } catch (e) {
          return [good, e instanceof ToolError, e instanceof Error, e.name, e.code, e.kind, e.message, e.status, e.details, String(e)]
        }`
      expect(resultOf(await runWith(use(), code, host))).toEqual([
        { n: 1 },
        true,
        true,
        "ToolError",
        "upstream_error",
        "upstream_error",
        "Not Found",
        404,
        { body: 1 },
        "ToolError: Not Found",
      ])
    })

    test("an approval that cannot pause is thrown as pending", async () => {
      const host = createLedgerHost(() => failure("approval_required", "A human must approve", { details: { approvalId: "apr_1" } }))
      const code = "try { await tools.pay({}) } catch (e) { return [e.kind, e.code, e.approvalId] }"
      expect(resultOf(await runWith(use(), code, host, { results: "raw" }))).toEqual(["pending", "approval_required", "apr_1"])
    })

    test("raw results behave like unwrap everywhere", async () => {
      const host = createLedgerHost((call) => (call.path === "bad" ? failure("timeout", "Too slow") : envelope([1, 2])))
      const code =
        "const list = await tools.good(); const same = await tools.good().unwrap(); try { await tools.bad() } catch (e) { return [list, same, e.code] }"
      expect(resultOf(await runWith(use(), code, host, { results: "raw" }))).toEqual([[1, 2], [1, 2], "timeout"])
    })

    test("bare values and rejections come through in either mode", async () => {
      const host = createLedgerHost((call) =>
        call.path === "search" ? value({ items: [1] }) : rejection("invalid_arguments", "Missing query"),
      )
      const code = `
        const found = await tools.search({ query: 'x' })
        const same = await tools.search({ query: 'x' }).unwrap()
        try { await tools.describe.tool() } catch (e) { return [found, same, e instanceof ToolError, e.code, e.message] }`
      for (const results of ["envelope", "raw"] as const) {
        expect(resultOf(await runWith(use(), code, host, { results }))).toEqual([
          { items: [1] },
          { items: [1] },
          true,
          "invalid_arguments",
          "Missing query",
        ])
      }
    })

    test("store and load go through the host, apart from tools of that name", async () => {
      const kept = new Map<string, string>()
      const host = createLedgerHost((call) => {
        if (call.kind === "store") kept.set(call.path, call.argsJson)
        return call.kind === "load" ? { form: "value", json: kept.get(call.path) ?? "null" } : value(null)
      })
      const code = "await store('k', { a: [1] }); await tools.store({}); return [await load('k'), await load('other')]"
      expect(resultOf(await runWith(use(), code, host))).toEqual([{ a: [1] }, null])
      expect(host.calls.map((call) => call.kind)).toEqual(["store", "tool", "load", "load"])
    })

    test("run in parallel, up to the limit", async () => {
      let open = 0
      let most = 0
      const host = createLedgerHost(async () => {
        most = Math.max(most, ++open)
        const answer = await after(5, envelope(1))
        open -= 1
        return answer
      })
      const code = "const all = await Promise.all(Array.from({ length: 100 }, (_, i) => tools.t({ i }).unwrap())); return all.length"
      expect(resultOf(await runWith(use(), code, host))).toBe(100)
      expect(most).toBe(defaultLimits.executionCallsInFlightMax)
    })

    test("over the number allowed are refused without reaching the host", async () => {
      const host = createLedgerHost((call) => (call.path === "search" ? value(1) : envelope(1)))
      const max = defaultLimits.executionCallsMax
      const code = `
        await tools.search({})
        for (let i = 1; i < ${max}; i++) await tools.t({ i })
        const refused = await tools.t({})
        try { await tools.search({}) } catch (e) { return [refused.error.code, e.code] }`
      expect(resultOf(await runWith(use(), code, host))).toEqual(["budget_exceeded", "budget_exceeded"])
      expect(host.calls.length).toBe(max)
    })

    test("with arguments that are too large are refused", async () => {
      const host = createLedgerHost()
      const outcome = await runWith(use(), "return (await tools.t({ x: 'x'.repeat(1024 * 1024) })).error", host)
      const message = `The arguments of a call may have ${defaultLimits.argsBytesMax} bytes.`
      expect(resultOf(outcome)).toEqual({
        code: "invalid_arguments",
        message,
        details: { issues: [{ path: "", code: "invalid_value", message }] },
      })
      expect(host.calls).toEqual([])
    })

    test("with arguments that are no JSON are refused like any others", async () => {
      const code = `
        const loop = {}; loop.loop = loop
        const seen = []
        for (const bad of [{ n: 1n }, loop, () => 1, { toJSON() { throw new Error('no') } }]) {
          const call = tools.t(bad)
          seen.push((await call).error)
          await call.unwrap().catch((e) => seen.push([e instanceof ToolError, e.code]))
        }
        return seen`
      const host = createLedgerHost()
      const because = (reason: string, issue = "invalid_value") => {
        const message = `The arguments of t ${reason}`
        return { code: "invalid_arguments", message, details: { issues: [{ path: "", code: issue, message }] } }
      }
      const thrown = [true, "invalid_arguments"]
      expect(resultOf(await runWith(use(), code, host))).toEqual([
        because("cannot be written as JSON: they hold a BigInt; pass a number or a text instead."),
        thrown,
        because("cannot be written as JSON: they contain themselves."),
        thrown,
        because("must be an object.", "wrong_type"),
        thrown,
        because("cannot be written as JSON: no"),
        thrown,
      ])
      const raw = "try { await tools.t(1n) } catch (e) { return [e instanceof ToolError, e.code] }"
      expect(resultOf(await runWith(use(), raw, host, { results: "raw" }))).toEqual(thrown)
      expect(resultOf(await runWith(use(), "return await store('k', 1n).catch((e) => [e instanceof ToolError, e.code])", host))).toEqual(
        thrown,
      )
      expect(host.calls).toEqual([])
    })

    test("wide arguments are refused before they leave the guest", async () => {
      const host = createLedgerHost()
      const code = `
        const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => ['k' + index, 1]))
        const seen = []
        for (const args of [{ wide }, { many: Array(50_000).fill(0) }]) seen.push((await tools.t(args)).error)
        await store('k', wide)
        return seen`
      const message = "The arguments of a call may have 10000 keys in one object and 50000 values in all; send them in several calls."
      const refusal = { code: "invalid_arguments", message, details: { issues: [{ path: "", code: "invalid_value", message }] } }
      expect(resultOf(await runWith(use(), code, host))).toEqual([refusal, refusal])
      expect(host.calls.map((call) => call.kind)).toEqual(["store"])
    })

    test("store and load take texts as keys, and store names itself where it refuses", async () => {
      const host = createLedgerHost()
      const code = `
        const seen = []
        for (const work of [() => store(5, 1), () => store(null, 1), () => load({}), () => store('k', 'x'.repeat(1024 * 1024)), () => store('k', 1n)])
          await work().catch((e) => seen.push(e.name + ': ' + e.message))
        return seen`
      expect(resultOf(await runWith(use(), code, host))).toEqual([
        "TypeError: store: the key must be a string, not number.",
        "TypeError: store: the key must be a string, not null.",
        "TypeError: load: the key must be a string, not object.",
        `ToolError: store: a value may have ${defaultLimits.argsBytesMax} bytes of JSON; keep less.`,
        expect.stringContaining('ToolError: The value of store("k") cannot be written as JSON'),
      ])
      expect(host.calls).toEqual([])
    })

    test("writing the proxy as JSON calls nothing", async () => {
      const host = createLedgerHost()
      const outcome = await runWith(use(), "return [JSON.stringify(tools), JSON.stringify({ t: tools, a: [tools.a.b] })]", host)
      expect(resultOf(outcome)).toEqual(['"[tools]"', '{"t":"[tools]","a":["[tools.a.b]"]}'])
      expect(host.calls).toEqual([])
      expect(outcome.report.logs).toEqual([])
    })

    test("a host that throws answers an internal error", async () => {
      const host = createLedgerHost(() => {
        throw new Error("secret path /srv/app")
      })
      const outcome = await runWith(use(), "return await tools.t({})", host)
      expect(resultOf(outcome)).toEqual({ ok: false, error: { code: "internal", message: "The call failed inside the server." } })
    })

    test("an answer that is no JSON fails its own call only", async () => {
      const host = createLedgerHost((call) => (call.path === "bad" ? { form: "envelope", json: "<html>" } : envelope(1)))
      const code = "const all = await Promise.allSettled([tools.bad({}), tools.good({})]); return all.map((one) => one.status)"
      expect(resultOf(await runWith(use(), code, host))).toEqual(["rejected", "fulfilled"])
    })

    test("a cancelled run ends at once", async () => {
      const controller = new AbortController()
      const host = createLedgerHost(() => {
        controller.abort()
        return after(30_000, envelope(1))
      })
      expect(failureOf(await runWith(use(), "return await tools.t({})", host, { signal: controller.signal }))).toMatchObject({
        code: "cancelled",
      })
      expect(failureOf(await runWith(use(), "return 1", host, { signal: AbortSignal.abort() }))).toMatchObject({ code: "cancelled" })
    })

    test("a run over its wall time ends", async () => {
      const host = createLedgerHost(() => after(30_000, envelope(1)))
      expect(failureOf(await runWith(use(), "return await tools.t({})", host, { wallMs: 100 }))).toMatchObject({ code: "timeout" })
      expect(failureOf(await runWith(use(), "while (true) {}", host, { wallMs: 100 }))).toMatchObject({ code: "timeout" })
    })

    test("code over the size limit is not read", async () => {
      const outcome = await runWith(use(), `return 1 //${"x".repeat(defaultLimits.codeBytesMax)}`)
      expect(failureOf(outcome)).toMatchObject({ code: "syntax", message: /bytes/ })
    })
  })
}
