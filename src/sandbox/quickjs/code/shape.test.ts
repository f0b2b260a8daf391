// Tests how the form of code is recognised.
import { describe, expect, test } from "vitest"
import { asExpression, bareCode, hasSignsOfTypes, mayBeExpression, mayBeModule, mayHaveTypeArguments, withoutFence } from "./shape.ts"

describe("code shape", () => {
  test("a fence is dropped and the lines keep their numbers", () => {
    expect(withoutFence("```ts\nline 2\nline 3\n```")).toBe("\nline 2\nline 3")
    expect(withoutFence("\n\n```\nline 4\n```  \n")).toBe("\n\n\nline 4")
    expect(withoutFence("````\n```\n````")).toBe("\n```")
  })

  test("text that only contains a fence is left alone", () => {
    for (const code of [
      "return `\n```\n`",
      "```js\nno end",
      "const x = 1;\n```js\n1\n```",
      "x = `\n~~~\n1\n~~~\n`",
      "/*\n```js\n1\n```\n*/",
      "A:\n```js\n1\n```\nB:\n```js\n2\n```",
    ]) {
      expect(withoutFence(code)).toBe(code)
    }
  })

  test("words around one fence are dropped with it", () => {
    expect(withoutFence("Here it is:\n\n```js\nline 4\n```\nThat's it.")).toBe("\n\n\nline 4")
    expect(bareCode("\uFEFFRun `this`:\n```\n#!/usr/bin/env node\nline 4\n```")).toBe("\n\n\nline 4")
  })

  test("statements are not tried as expressions", () => {
    for (const code of ["const a = 1", "// note\nreturn 1", "/* a */ if (x) y()", "type A = string", "import x from 'y'", ""])
      expect(mayBeExpression(code)).toBe(false)
    for (const code of ["a", "async () => 1", "import('x')", "function f() {}", "returned", "{ a: 1 }", "type"])
      expect(mayBeExpression(code)).toBe(true)
  })

  test("an expression loses what follows it", () => {
    expect(asExpression("a();;\n\n")).toBe("a()")
    expect(asExpression("a(); // done\n// really")).toBe("a()")
    expect(asExpression("f('http://x')")).toBe("f('http://x')")
  })

  test("a module has an export that begins a statement", () => {
    for (const code of ["export default 1", "const a = 1; export { a }", "x\n  export const a = 1"]) expect(mayBeModule(code)).toBe(true)
    for (const code of ["return 'export default'", "a.export", "exports.x = 1"]) expect(mayBeModule(code)).toBe(false)
  })

  test("signs of types are seen", () => {
    for (const code of [
      "const a: number = 1",
      "function f(a): string {}",
      "interface A { b: c }",
      "type A<T> = T",
      "return a as Foo",
      "x as const",
    ]) {
      expect(hasSignsOfTypes(code)).toBe(true)
    }
    for (const code of ["const a = { b: 1 }", "return f(a)", "const type = 1", "for (const x of y) z()", "import * as x"])
      expect(hasSignsOfTypes(code)).toBe(false)
  })

  test("type arguments are suspected only where they could be", () => {
    for (const code of ["f<T>(x)", "new Map<string, number>()", "f<T>`x`"]) expect(mayHaveTypeArguments(code)).toBe(true)
    for (const code of ["a => (b)", "a >= (b)", "if (a > b) f()", "a > (b)"]) expect(mayHaveTypeArguments(code)).toBe(false)
  })
})
