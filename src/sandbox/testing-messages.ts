// What the engine says of common mistakes, in words that help, and at the line where the mistake is.
import { describe, expect, test } from "vitest"
import type { Sandbox } from "./sandbox.ts"
import { createLedgerHost, failure, failureOf, runWith } from "./testing-host.ts"

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
  ["a Markdown block that is not closed", "```js\nreturn 1", /^The Markdown block is not closed\.$/],
]

export function testMessages(use: () => Sandbox): void {
  describe("messages", () => {
    for (const [name, code, message, line] of destructuring) {
      test(`point to a destructuring ${name}`, async () => {
        const host = createLedgerHost(() => failure("upstream_error", "Not Found"))
        const error = failureOf(await runWith(use(), `const r = await tools.t.fail({})\n${code}`, host))
        expect([error.message, error.line]).toEqual([message, line])
      })
    }

    for (const [name, code, message, line] of unreadable) {
      test(`tell of ${name}`, async () => {
        const error = failureOf(await runWith(use(), code))
        expect(error).toMatchObject({ code: "syntax", message: expect.stringMatching(message) as unknown, ...(line ? { line } : {}) })
      })
    }
  })
}
