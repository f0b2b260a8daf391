// What code is told when it takes an envelope for its data, lets a failed call pass, or does not catch one.
import { describe, expect, test } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { createLedgerHost, envelope, failure, failureOf, rejection, resultOf, runWith } from "./host.ts"

const script = () =>
  createLedgerHost(({ path, argsJson }) => {
    if (path === "search") return rejection("invalid_arguments", "Missing required parameter 'query'")
    if (!path.includes("fail")) return envelope({ title: "T", args: JSON.parse(argsJson) as unknown })
    return failure("upstream_error", "Not Found", { status: 404 })
  })

const mistaken: readonly (readonly [code: string, message: string])[] = [
  ["return r.title", "`r` is { ok, data } and has no `title`: use r.data.title or .unwrap()"],
  ["return { a: 1, title: r.title }", "`r` is { ok, data } and has no `title`: use r.data.title or .unwrap()"],
  ["return r.map(x => x)", "`r` is { ok, data } and has no `map`: use r.data.map or .unwrap()"],
  ["return r.length > 0", "`r` is { ok, data } and has no `length`: use r.data.length or .unwrap()"],
  ["return r[0]", "`r` is { ok, data } and has no `0`: use r.data[0] or .unwrap()"],
  ["const o = { r }; return o.r.title", "`o.r` is { ok, data } and has no `title`: use o.r.data.title or .unwrap()"],
  ["return [r].map((x) => x.title)", "`x` is { ok, data } and has no `title`: use x.data.title or .unwrap()"],
  ["const t: string = r.title; return t", "`r` is { ok, data } and has no `title`: use r.data.title or .unwrap()"],
  ["return (await tools.b({})).title", "The result of a call is { ok, data } and has no `title`: use .data.title or .unwrap()"],
  ["for (const x of r) {}", "value is not iterable. The result of a call is { ok, data }: use .data or .unwrap()"],
  [
    "return f.items.length",
    "`f` is { ok: false, error } and has no `items`: the call failed: fail (upstream_error 404: Not Found). Check `ok` first",
  ],
  [
    "return f.data.length",
    "cannot read property 'length' of undefined. `data` was read of a call that failed: fail (upstream_error 404: Not Found)",
  ],
]

/** What is destructured may be missing, until the code needs it. */
const destructured: readonly (readonly [code: string, message: string])[] = [
  ["const { title } = r; return title.length", "cannot read property 'length' of undefined"],
  ["const { title } = await tools.b({}); return title.map((x) => x)", "cannot read property 'map' of undefined"],
  ["const { title } = r; return title()", "`title` is not a function"],
  ["const { title } = r; return title", "The code returned undefined"],
  ["const { title } = r\nreturn title;", "The code returned undefined"],
]

const prepared = ["return r.x ?? 1", "return r?.x || 1", "const { x = 1 } = r; return x", "if (r.x) return 2; return 1", "return !r.x && 1"]

export function testEnvelopes(use: () => Sandbox): void {
  describe("envelopes", () => {
    for (const [code, message] of mistaken) {
      test(`tell of what they do not have in ${code}`, async () => {
        const outcome = await runWith(use(), `const r = await tools.a({}), f = await tools.fail({})\n${code}`, script())
        expect(failureOf(outcome)).toMatchObject({ name: "TypeError", message, line: 2 })
      })
    }

    for (const [code, message] of destructured) {
      test(`tell of what was destructured in ${code}`, async () => {
        const outcome = await runWith(use(), `const r = await tools.a({})\n${code}`, script())
        expect(failureOf(outcome)).toMatchObject({
          name: "TypeError",
          message: `${message}. The result of a call is { ok, data } and has no \`title\`: use .data.title or .unwrap()`,
        })
        expect(outcome.report.logs).toEqual([])
      })
    }

    test("go on where nothing is returned of what was destructured", async () => {
      const outcome = await runWith(use(), "const { ok, status } = await tools.a({})\nif (!ok) return status", script())
      expect(outcome).toMatchObject({ status: "returned", resultJson: null, report: { logs: [{ level: "warn" }] } })
    })

    for (const code of prepared) {
      test(`go on where the code is prepared: ${code}`, async () => {
        const outcome = await runWith(use(), `const r = await tools.a({})\n${code}`, script())
        expect(resultOf(outcome)).toBe(1)
        expect(outcome.report.logs).toMatchObject([{ level: "warn", text: expect.stringMatching(/is \{ ok, data \} and has no `x`/) }])
      })
    }

    for (const path of ["a", "fail"]) {
      test(`are plain objects otherwise (${path})`, async () => {
        const code = `const r = await tools.${path}({})
          const { ok, data, error, http, then } = r
          const texts = [JSON.stringify(r), JSON.stringify({ ...r }), JSON.stringify(structuredClone(r)), JSON.stringify(Object.assign({}, r))]
          r.extra = 1
          return { same: new Set(texts).size, keys: Object.keys(r), none: [http, then, r.toJSON].every((x) => x === undefined), x: "x" in r,
            ok: r.ok === ok, own: r.hasOwnProperty("ok"), object: r instanceof Object && r.constructor === Object, iterator: r[Symbol.iterator],
            extra: r.extra, text: String(r), either: Boolean(data) !== Boolean(error), r }`
        const outcome = await runWith(use(), code, script())
        const answer = path === "a" ? { ok: true, data: { title: "T", args: {} } } : { ok: false, error: expect.any(Object) as unknown }
        expect(resultOf(outcome)).toEqual({
          same: 1,
          keys: [...Object.keys(answer), "extra"],
          none: true,
          x: false,
          ok: true,
          own: true,
          object: true,
          extra: 1,
          text: "[object Object]",
          either: true,
          r: { ...answer, extra: 1 },
        })
        expect(outcome.report.logs).toEqual([])
      })
    }

    test("that failed and were not looked at are told of", async () => {
      const told = async (code: string) => (await runWith(use(), code, script())).report.logs.map((line) => line.text)
      expect(await told("await tools.x.fail({}); return 1")).toEqual([
        "1 call failed and its result was never looked at: x.fail (upstream_error 404: Not Found)",
      ])
      expect(await told("await Promise.all([1, 2].map((n) => tools.fail({ n }))); throw new Error('e')")).toEqual([
        "2 calls failed and their results were never looked at: fail (upstream_error 404: Not Found); fail (upstream_error 404: Not Found)",
      ])
      const looks = ["r.ok", "r.error?.code", "r", "{ ...r }", "[r].map(({ data }) => data ?? 0)", "JSON.stringify([r])", "Object.keys(r)"]
      for (const look of looks) expect(await told(`const r = await tools.fail({}); return ${look}`)).toEqual([])
      expect(await told("await tools.fail({}).unwrap().catch(() => {}); return 1")).toEqual([])
    })

    test("that nobody caught name the call, how it failed and all that is wrong with it", async () => {
      const issues = ["Missing required parameter 'a'", "Missing required parameter 'b'", "Unknown parameter 'c'. Accepted: a, b."]
      const details = { issues: issues.map((message) => ({ path: "", code: "x", message })) }
      const host = createLedgerHost(({ path }) =>
        path === "gone"
          ? failure("tool_not_found", "Tool path 'gone' not found", { details: { suggestions: ["a.b", "c.d"] } })
          : failure("invalid_arguments", issues[0] ?? "", { details, status: 422 }),
      )
      const wrong = failureOf(await runWith(use(), `await Promise.all([tools.t.make({ c: 1 }).unwrap()])`, host))
      expect(wrong).toEqual({
        code: "thrown",
        name: "ToolError",
        message: `t.make({"c":1}) failed: invalid_arguments 422: ${issues.join("; ")}`,
        line: 1,
        column: 28,
        toolError: { tool: "t.make", code: "invalid_arguments", status: 422 },
      })
      const gone = failureOf(await runWith(use(), "return await tools.gone({})", host, { results: "raw" }))
      expect(gone.message).toBe("gone() failed: tool_not_found: Tool path 'gone' not found. Did you mean a.b, c.d?")
      const cause = failureOf(
        await runWith(use(), "try { await tools.t({}).unwrap() } catch (e) { throw new Error('x', { cause: e }) }", host),
      )
      expect(cause.message).toContain("x (caused by: ToolError: t() failed: invalid_arguments 422")
    })

    test("are not listed by `tools`, and that is said", async () => {
      const outcome = await runWith(use(), "return Object.keys(tools)")
      expect(resultOf(outcome)).toEqual([])
      expect(outcome.report.logs.map((line) => line.text)).toEqual([expect.stringContaining("tools.search({ query })")])
    })
  })
}
