// Tests whose brackets code closes.
import { describe, expect, test } from "vitest"
import { bracketBalance, isNestedTooDeeply } from "./balance.ts"

describe("bracket balance", () => {
  test("code that closes what it opened is known to", () => {
    for (const code of [
      "",
      "f({ a: [1] })",
      "'})' + \"})\" + `})`",
      "`${{ a: `${1}` }.a}}`",
      "// })",
      "// })\nf()",
      "/* }) */ f()",
      "'\\'})'",
      "`\\`})`",
      "f((",
      "a = b => ({ c: `${b}` })",
    ])
      expect(bracketBalance(code), code).toEqual({ is: "own" })
  })

  test("a bracket of somebody else is found", () => {
    for (const [code, at] of [
      ["})", 0],
      ["'{' }", 4],
      ["// {\n}", 5],
      ["// {\r}", 5],
      ["`${1}` }", 7],
      ["(]", 1],
      ["{ } }", 4],
    ] as const)
      expect(bracketBalance(code), code).toEqual({ is: "foreign", at })
  })

  test("where regular expressions, divisions or odd comments may be, a parser must tell", () => {
    for (const code of ["/{/; }", "a / b }", "<!-- {\n}", "--> {\n}", "'open\n}", "`open }", "/* open }"])
      expect(bracketBalance(code), code).toEqual({ is: "unsure" })
  })
})

describe("nesting", () => {
  test("that no parser can follow is seen", () => {
    for (const code of ["(".repeat(9000), "`${".repeat(9000), `${"[".repeat(9000)}${"]".repeat(9000)}`, `let a: ${"A<".repeat(9000)}`])
      expect(isNestedTooDeeply(code)).toBe(true)
  })

  test("of ordinary code is fine, however long it is", () => {
    for (const code of ["f({ a: [1] })\n".repeat(9000), "if (a<b) f<T>(x);".repeat(9000), ")".repeat(9000), "(".repeat(100)])
      expect(isNestedTooDeeply(code)).toBe(false)
  })
})
