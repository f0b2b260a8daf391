// What the engine says of common mistakes, in words that help, and at the line where the mistake is.
import { describe, expect, test } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { createLedgerHost, failure, failureOf, resultOf, runWith } from "./host.ts"

const notFields = "Cannot destructure undefined or null: check `ok` of the result first, or use `.unwrap()`"
const notItems = "undefined is not iterable: check `ok` of the result first, or use `.unwrap()`"

/** In each of them the call has failed, so that `r.data` is undefined; the lines count from the call. */
const destructuring: readonly (readonly [name: string, code: string, message: string, line: number | undefined])[] = [
  ["behind a loop", "let s = 0\nfor (let i = 0; i < 3; i++) s += i\nconst t = s * 2\nconst { items } = r.data\nreturn items", notFields, 5],
  ["behind a block that did not run", "if (r.ok) {\n  console.log(r.x)\n}\nconst [first, second] = r.data\nreturn first", notItems, 5],
  ["behind a loop that destructures", "for (let i = 0; i < 1; i++) {\n  const { a } = r\n}\nconst { b } = r.data", notFields, 5],
  ["behind another one", "const { ok } = r\nconst { b } = r.data", notFields, 3],
  ["behind functions that destructure", "const f = ({ a }) => a\nclass A { m({ b }) {} }\nconst { c } = r.data", notFields, 4],
  ["behind a callback that destructures", "const n = [{}].map(({ a }) => a)\nconst { c } = r.data", notFields, 3],
  ["behind names that every object has", "const f = (x) => {\n  const s = x.ok.toString()\n  const { b } = x.data\n}\nf(r)", notFields, 4],
  ["behind types", "const a: { b: number } = { b: 1 }\nconst { c }: { c: string } = r.data", notFields, 3],
  ["in a parameter", "function f(\n  { a }) {}\nconst z = 1\nf(r.data)", notFields, 3],
  ["in the parameter of a callback", "const list = [r.data]\nconst z = 1\nlist.map(({ a }) => a)", notFields, 4],
  ["in a method", "const o = {\n  m({ a }) {}\n}\no.m(r.data)", notFields, 3],
  ["in a function", "const f = (x) => {\n  const { b } = x\n}\nf(r.data)", notFields, 3],
  ["in an assignment", "let a\nr.ok;\n({ a } = r.data)", notFields, 4],
  ["in a loop over a list", "const list = [r.data]\nfor (const { a } of\n  list) {}", notFields, 3],
  ["in a loop over a list or inside of it", "for (const { a } of [r]) {\n  const { b } = a\n}", notFields, undefined],
  ["of a list in a loop", "for (const a of r.data) {}\nconst { b } = r", notItems, 2],
  ["of a list in a spread", "const a = [\n  ...r.data]", notItems, 3],
  ["that may be one of two", "const [a] = [1]\nconst [c] = r.data", notItems, undefined],
  ["in what a built-in was given", "const { ok } = r\nreturn Object.keys(r.data)", "Cannot convert undefined or null to object", 3],
]

const unreadable: readonly (readonly [name: string, code: string, message: RegExp, line?: number])[] = [
  ["several Markdown blocks", "```js\nconst a = 1\n```\n```js\nreturn a\n```", /^There are several Markdown blocks; send one\.$/],
  ["several Markdown blocks with words", "First:\n```js\n1\n```\nThen:\n```js\n2\n```", /several Markdown blocks/],
  ["code that is not complete", "if (true) {\n  foo(", /^The code ends before it is complete/, 2],
  ["typed code that is not complete", "const a: number = [\n1,", /^The code ends before it is complete/, 2],
  ["a name that is declared twice", "let first = 1\nlet first = 2", /^`first` is declared twice\.$/, 2],
  ["a name that is declared twice behind types", "const a: number = 1\nconst { b, a } = { b: 1, a: 2 }", /^`a` is declared twice\.$/, 2],
  ["a Markdown block that is not closed", "```js\nreturn 1", /^The Markdown block is not closed\.$/],
]

const uncallable: readonly (readonly [code: string, message: string, column: number])[] = [
  ["const foo = 5; foo()", "`foo` is not a function", 16],
  ["const a = { b: {} }; return a.b.c(1, 2)", "`a.b.c` is not a function", 33],
  ["const a: { b: string } = { b: '' }; return a.b.map((x: string) => x)", "`a.b.map` is not a function", 48],
  ["const a = [1]; a[0](3)", "`a[0]` is not a function", 16],
  ["const a = () => ({}); a().b()", "`.b` is not a function", 27],
  ["const a = {}; return a.b(x => x)", "`a.b` is not a function", 26],
  ["const a = {}; return a.b(async function () {})", "`a.b` is not a function", 26],
  ["const a = {}; return Object.keys(a.b((x) => x))", "`a.b` is not a function", 36],
  ["const a = {}, c = []; c.push(a.b(x => x))", "`a.b` or `c.push` is not a function", 34],
  ["const X = 5; new X()", "`X` is not a constructor", 18],
  ["const f = () => 5; f()()", "not a function", 20],
  ["[1].map(5)", "not a function", 5],
  ["const é = 'é😀'; é.foo()", "`é.foo` is not a function", 20],
  [
    "const r = { ok: true }; r.unwrap()",
    "`r.unwrap` is not a function: `unwrap` is on the call, not on its result: await tools.x(...).unwrap()",
    27,
  ],
]

const missing = ["WeakRef", "Response", "__dirname", "print", "alert", "process", "Buffer"]

export function testMessages(use: () => Sandbox): void {
  describe("messages", () => {
    for (const [name, code, message, line] of destructuring) {
      test(`point to a destructuring ${name}`, async () => {
        const host = createLedgerHost(() => failure("upstream_error", "Not Found"))
        const error = failureOf(await runWith(use(), `const r = await tools.t.fail({})\n${code}`, host))
        expect([
          error.message.replace(/\. (?:`data` was read of a call that failed:|The result of a call is) .*$/, ""),
          error.line,
        ]).toEqual([message, line])
      })
    }

    test("point to a destructuring in the first statement", async () => {
      const host = createLedgerHost(() => failure("upstream_error", "Not Found"))
      const error = failureOf(await runWith(use(), "\nconst { data: { items } } = await tools.t({})\nconst { a } = items", host))
      const failed = "`data` was read of a call that failed: t (upstream_error: Not Found)"
      expect(error).toMatchObject({ message: `${notFields}. ${failed}`, line: 2, column: 7 })
    })

    for (const [code, message, column] of uncallable) {
      test(`name what is called in ${code}`, async () => {
        expect(failureOf(await runWith(use(), code))).toMatchObject({ name: "TypeError", message, line: 1, column })
      })
    }

    test("say what to use instead of what is not there", async () => {
      for (const name of missing) {
        const error = failureOf(await runWith(use(), `return new ${name}()`))
        expect(error.message).toMatch(new RegExp(`^${name} is not defined\\. .*(?:tool|emit|use|hold|pass)`))
      }
    })

    test("tell of a return that was probably forgotten", async () => {
      const told = async (code: string) => (await runWith(use(), code)).report.logs.map((line) => line.text)
      expect(await told("const items = [1]\nitems.length;\n// done\n")).toEqual(["Nothing was returned: `return items.length` would."])
      expect(await told("const a = 1\nawait tools.t({ a })")).toEqual(["Nothing was returned: `return await tools.t({ a })` would."])
      expect(await told("function twice(n) {\n  return n * 2\n}\nasync function main() {\n  return twice(2)\n}")).toEqual([
        "Nothing was returned: `main` is never called; end with `return await main()`.",
      ])
      for (const code of ["const a = 1", "let a = 1\na = 2", "if (1) {\n  tools\n}", "emit(1)\ntools", "const f = () => {}\nf()\nreturn"])
        expect(await told(code)).toEqual([])
    })

    for (const [name, code, message, line] of unreadable) {
      test(`tell of ${name}`, async () => {
        const error = failureOf(await runWith(use(), code))
        expect(error).toMatchObject({ code: "syntax", message: expect.stringMatching(message) as unknown, ...(line ? { line } : {}) })
      })
    }

    test("name an argument that JSON would empty", async () => {
      const host = createLedgerHost()
      const code = `
        const list = [tools.later({}), new Map(), { ids: new Set([1]) }, { a: [{ b: Promise.resolve() }] }]
        const seen = []
        for (const bad of list) seen.push((await tools.t(bad)).error)
        for (const bad of [new Map(), { s: new Set() }, () => 1]) await store('m', bad).catch((e) => seen.push(e.message))
        await tools.fine({ a: {}, b: [{}] })
        return seen`
      const because = (reason: string) => {
        const message = `The arguments of t: ${reason}`
        return { code: "invalid_arguments", message, details: { issues: [{ path: "", code: "wrong_type", message }] } }
      }
      expect(resultOf(await runWith(use(), code, host))).toEqual([
        because("this is a Promise; `await` it first."),
        because("this is a Map; use Object.fromEntries(map)."),
        because("'ids' is a Set; use [...set]."),
        because("'a[0].b' is a Promise; `await` it first."),
        'The value of store("m"): this is a Map; use Object.fromEntries(map).',
        "The value of store(\"m\"): 's' is a Set; use [...set].",
        'The value of store("m"): a function cannot be stored.',
      ])
      expect(host.calls.map((call) => call.path)).toEqual(["later", "fine"])
    })
  })
}
