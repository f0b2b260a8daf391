// The forms in which code may be written.
import { describe, expect, test } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { resultOf, runWith } from "./host.ts"

const accepted: readonly (readonly [name: string, code: string, result: unknown])[] = [
  ["a body with return", "const a = 1\nreturn a + 1", 2],
  ["a body with await", "const a = await Promise.resolve(1)\nreturn a", 1],
  ["a body without return", "const a = 1", undefined],
  ["nothing at all", "", undefined],
  ["only a comment", "// nothing to do", undefined],
  ["an expression", "1 + 1", 2],
  ["an expression with a semicolon", "1 + 1;\n", 2],
  ["an expression with comments around it", "// sum\n1 + 1; // two\n// done", 2],
  ["an awaited expression", "await Promise.resolve(3)", 3],
  ["a promise as an expression", "Promise.resolve(3)", 3],
  ["an object literal", "{ a: 1, b: [2] }", { a: 1, b: [2] }],
  ["a string with a comment sign", '"http://x"', "http://x"],
  ["an async arrow function", "async () => { return 5 }", 5],
  ["an arrow function", "() => 5", 5],
  ["an arrow function in parentheses", "(async () => 5)", 5],
  ["a function that is called in the code", "(async () => 5)()", 5],
  ["a function declaration alone", "async function main() {\n  return 6\n}", 6],
  ["a function that takes tools", "async (tools) => typeof tools", "object"],
  ["a function that takes an object with tools", "async ({ tools }) => typeof tools", "object"],
  [
    "a function that takes an object with globals and an integration",
    "async ({ tools, console, emit, store, load, shop }) => { console.log('x'); emit(1); return [tools === globalThis.tools, store === globalThis.store, load === globalThis.load, String(shop.orders)] }",
    [true, true, true, "tools.shop.orders"],
  ],
  ["a function that takes tools as it likes to call them", "async function (store) { return String(store.load.x) }", "tools.load.x"],
  ["a declaration and a return", "function twice(n) { return n * 2 }\nreturn twice(4)", 8],
  ["export default of a value", "export default 7", 7],
  ["export default of an arrow function", "export default async () => 7", 7],
  ["export default of a function declaration", "const n = 7\nexport default async function main() { return n }", 7],
  ["export default above what it uses", "export default () => helper()\nconst helper = () => 9", 9],
  ["export beside the default", "export const a = 1\nexport default a + 1", 2],
  ["a Markdown fence", "```js\nreturn 1\n```", 1],
  ["a Markdown fence with a language and blanks", "\n```typescript\nconst a: number = 1\nreturn a\n```\n", 1],
  ["a fence of tildes", "~~~\n2 + 2\n~~~", 4],
  ["one fence with words around it", "Here is the code:\n\n```ts\nconst a: number = 1\nreturn a\n```\nHope this helps!", 1],
  ["a fence behind a heading that is also a label", "Code:\n```\nreturn 5\n```", 5],
  ["a template with a fence in it", "return `\n~~~\n1\n~~~\n`", "\n~~~\n1\n~~~\n"],
  ["the line that names an interpreter", "#!/usr/bin/env node\nreturn 1", 1],
  [
    "brackets in texts, templates, comments and regular expressions",
    "const a = '})' // })\nreturn `${{ a: `}${a}` }.a}/* }) */` + /[})]/.source",
    "}})/* }) */[})]",
  ],
  ["a namespace that is only declared", "declare namespace N { const a: number }\nreturn 1", 1],
  ["a namespace in a text", "const a: string = `\nnamespace N {\n`\nreturn a", "\nnamespace N {\n"],
  ["a variable that is a function as well, beside a division", "var f\nfunction f() { return 4 / 2 }\nreturn f()", 2],
  ["a byte order mark", "\uFEFFreturn 1", 1],
  ["a body that returns a function", "return () => 1", "[Function]"],
  ["a class as an expression", "class A {}", "[Function: A]"],
  ["an assignment without a declaration", "x = 4\nreturn x", 4],
  ["type annotations", "const a: number = 1\nfunction f(x: string): string { return x }\nreturn f('a') + (a as unknown as string)", "a1"],
  ["interfaces and aliases", "interface A { b: number }\ntype B = A | null\nconst a: B = { b: 1 }\nreturn a!.b", 1],
  ["type arguments of a call", "const first = <T,>(list: T[]): T => list[0]!\nreturn first<number>([3])", 3],
  ["an enum", "enum Color { Red, Green }\nreturn Color.Green", 1],
  ["a typed arrow function", "async (): Promise<number> => 4", 4],
  ["satisfies", "return ({ a: 1 } satisfies object).a", 1],
  ["parameter properties", "class A { constructor(readonly x: number) {} }\nreturn new A(2).x", 2],
  ["a comparison with a parenthesis", "const a = 2\nreturn a < 3 && a > (1)", true],
  [
    "a line that starts with a semicolon after an alias",
    "let sum = 1\ntype N = number\n;[2, 3].forEach((n: N) => (sum += n))\nreturn sum",
    6,
  ],
  ["a parenthesis after an alias and a semicolon", "let sum = 1\ntype N = number\n;(() => { sum = 2 })()\nreturn sum as N", 2],
  ["such a line inside a template", "type N = number\nconst a: N = 1\nreturn `x\n;[${a}]`", "x\n;[1]"],
]

export function testCode(use: () => Sandbox): void {
  describe("code", () => {
    for (const [name, code, result] of accepted) {
      test(`runs ${name}`, async () => {
        expect(resultOf(await runWith(use(), code))).toEqual(result)
      })
    }
  })
}
