// What code may return: anything, as readable JSON.
import { describe, expect, test } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { createLedgerHost, failure, resultOf, runWith } from "./host.ts"

const returned: readonly (readonly [name: string, code: string, result: unknown])[] = [
  ["undefined", "return undefined", undefined],
  ["null", "return null", null],
  ["a BigInt", "return { n: 12345678901234567890n }", { n: "12345678901234567890" }],
  ["a Map with text keys", "return new Map([['a', 1], ['__proto__', 2]])", JSON.parse('{"a":1,"__proto__":2}')],
  ["a Map with other keys", "return new Map([[1, 'a']])", [[1, "a"]]],
  ["a Set", "return new Set([1, 2])", [1, 2]],
  ["nested collections", "return { m: new Map([['s', new Set([1n])]]) }", { m: { s: ["1"] } }],
  ["a Date", "return [new Date(0), new Date(NaN)]", ["1970-01-01T00:00:00.000Z", "Invalid Date"]],
  ["an invalid date in a cycle", "const a = { d: new Date(NaN) }; a.a = a; return a", { d: "Invalid Date", a: "[Circular]" }],
  [
    "iterators",
    "return { keys: new Map([['a', 1]]).keys(), list: [1, 2].values(), odd: [1, 2].values().filter((n) => n % 2) }",
    { keys: ["a"], list: [1, 2], odd: [1] },
  ],
  [
    "a generator in a cycle",
    "const a = { g: (function* () { yield 1; yield new Set([2]) })() }; a.a = a; return a",
    { g: [1, [2]], a: "[Circular]" },
  ],
  [
    "a generator without end",
    "return (function* () { for (let i = 0; ; i++) yield i })().map((i) => i * 2)",
    [...Array.from({ length: 1000 }, (_, i) => i * 2), "… [cut]"],
  ],
  ["an async generator", "return { g: (async function* () { yield 1 })() }", { g: "[AsyncGenerator: collect it with `for await`]" }],
  ["an Error", "return Object.assign(new TypeError('bad'), { code: 7 })", { name: "TypeError", message: "bad", code: 7 }],
  [
    "an Error with a cause",
    "return new Error('a', { cause: new Error('b') })",
    { name: "Error", message: "a", cause: { name: "Error", message: "b" } },
  ],
  [
    "an error of errors",
    "return new AggregateError([new Error('q'), 1], 'all')",
    { name: "AggregateError", message: "all", errors: [{ name: "Error", message: "q" }, 1] },
  ],
  [
    "boxed values",
    "const loop = {}; loop.loop = loop; return [new Number(3), new String('s'), new Boolean(false), Object(4n), Object(Symbol('y')), loop]",
    [3, "s", false, "4", "Symbol(y)", { loop: "[Circular]" }],
  ],
  ["what only looks like a box", "return [Object.create(Number.prototype), { [Symbol.toStringTag]: 'Number', a: 1 }]", [{}, { a: 1 }]],
  ["a cycle", "const a = { b: {} }; a.b.a = a; return a", { b: { a: "[Circular]" } }],
  ["the same object twice", "const a = { x: 1 }; return [a, a]", [{ x: 1 }, { x: 1 }]],
  ["typed arrays", "return [new Uint8Array([1, 2]), new Float64Array([0.5])]", [[1, 2], [0.5]]],
  ["buffers", "return [new ArrayBuffer(2), new DataView(new ArrayBuffer(1))]", [[0, 0], [0]]],
  ["functions", "return [() => 1, function named() {}]", ["[Function]", "[Function: named]"]],
  ["symbols", "return { s: Symbol('x') }", { s: "Symbol(x)" }],
  ["numbers JSON has not", "return [NaN, Infinity, -Infinity, -0]", ["NaN", "Infinity", "-Infinity", 0]],
  ["undefined inside", "return { a: undefined, b: [undefined] }", { b: [null] }],
  ["a RegExp", "return /a+/g", "/a+/g"],
  ["a promise inside", "return { p: Promise.resolve(1) }", { p: "[Promise]" }],
  ["a URL", "return new URL('http://a.b/c')", "http://a.b/c"],
  ["Headers", "return new Headers({ B: '2', a: '1' })", { a: "1", b: "2" }],
  ["a class instance", "class A { x = 1; #y = 2 }; return new A()", { x: 1 }],
  ["toJSON", "return { toJSON: () => ({ seen: true }) }", { seen: true }],
  ["toJSON that throws", "return { a: 1, toJSON() { throw new Error('no') } }", { a: 1, toJSON: "[Function: toJSON]" }],
  ["a getter that throws", "return { a: 1, get b() { throw new Error('no') } }", { a: 1, b: "[Thrown: no]" }],
  ["a Proxy", "return new Proxy({ a: 1 }, {})", { a: 1 }],
  ["a Proxy that throws", "return { p: new Proxy({}, { ownKeys() { throw new Error('no') } }) }", { p: "[Thrown: no]" }],
  ["a Proxy that throws at everything", "return [new Proxy({}, new Proxy({}, { get() { throw new Error('no') } }))]", ["[Thrown: no]"]],
  ["an object without prototype", "return Object.assign(Object.create(null), { a: 1 })", { a: 1 }],
  ["the tools proxy", "return { t: tools, u: tools.a.b }", { t: "[tools]", u: "[tools.a.b]" }],
  ["weak collections", "return [new WeakMap(), new WeakSet()]", ["[Weak collection]", "[Weak collection]"]],
  ["an array with holes", "return [1, , 3]", [1, null, 3]],
  ["lone surrogates", String.raw`return { ["\udc00"]: "a\ud800b 😀 \\ud800" }`, { "\uFFFD": "a\uFFFDb 😀 \\ud800" }],
  ["text beyond ASCII", "return 'žluťoučký 🐎 \\u0000'", "žluťoučký 🐎 \u0000"],
  ["a thenable that fulfils", "return { then(resolve) { resolve(4) } }", 4],
]

export function testResults(use: () => Sandbox): void {
  describe("results", () => {
    for (const [name, code, result] of returned) {
      test(`carries ${name}`, async () => {
        expect(resultOf(await runWith(use(), code))).toEqual(result)
      })
    }

    test("carries a ToolError with its fields", async () => {
      const host = createLedgerHost(() => failure("upstream_error", "Not Found", { status: 404, details: { a: 1 } }))
      expect(resultOf(await runWith(use(), "return await tools.x().unwrap().catch((e) => e)", host))).toEqual({
        name: "ToolError",
        message: "Not Found",
        code: "upstream_error",
        kind: "upstream_error",
        status: 404,
        details: { a: 1 },
        tool: "x",
      })
    })

    test("cuts what is nested too deeply", async () => {
      const result = await runWith(use(), "let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; return a")
      expect(JSON.stringify(resultOf(result))).toContain("[Too deep]")
    })

    test("carries ten megabytes", async () => {
      const result = resultOf(await runWith(use(), "return 'x'.repeat(10 * 1024 * 1024)"))
      expect((result as string).length).toBe(10 * 1024 * 1024)
    })

    test("stops at more than a result may have", async () => {
      const outcome = await runWith(use(), "return 'x'.repeat(17 * 1024 * 1024)")
      expect(outcome).toMatchObject({ status: "stopped", reason: "output_limit" })
    })
  })
}
