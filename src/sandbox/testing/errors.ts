// Errors as the agent sees them: what happened, and where in the code as it was written.
import { describe, expect, test } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { createLedgerHost, failure, failureOf, resultOf, runWith } from "./host.ts"

type ErrorCase = readonly [
  name: string,
  code: string,
  expected: { code: string; name?: string; message: RegExp; line?: number; column?: number },
]

const failing: readonly ErrorCase[] = [
  ["a thrown error", "const a = 1\nthrow new TypeError('no')", { code: "thrown", name: "TypeError", message: /^no$/, line: 2 }],
  ["an error inside a function", "function f() {\n  null.x\n}\n\nf()", { code: "thrown", name: "TypeError", message: /null/, line: 2 }],
  [
    "a column behind types",
    "const a: number = 1; const b: string = a.x.y",
    { code: "thrown", name: "TypeError", message: /undefined/, line: 1, column: 40 },
  ],
  ["an error behind a fence", "```ts\nconst a = 1\nthrow new Error('x')\n```", { code: "thrown", message: /^x$/, line: 3 }],
  [
    "an error in an expression",
    "\n\n[1].map(() => { throw new RangeError('r') })",
    { code: "thrown", name: "RangeError", message: /^r$/, line: 3 },
  ],
  [
    "an error in a default export",
    "const a = 1\nexport default () => {\n  throw new Error('e')\n}",
    { code: "thrown", message: /^e$/, line: 3 },
  ],
  [
    "an error of a class of its own",
    "class HttpError extends Error {\n  constructor(m) { super(m); this.name = 'HttpError' }\n}\nfunction go() {\n  throw new HttpError('bad')\n}\ngo()",
    { code: "thrown", name: "HttpError", message: /^bad$/, line: 5 },
  ],
  [
    "an error of a class of a class",
    "class A extends Error {}\nclass B extends A {\n  constructor(m) {\n    super(m)\n  }\n}\nthrow new B('deep')",
    { code: "thrown", message: /^deep$/, line: 7 },
  ],
  [
    "an error of a class without a name",
    "const make = () => class extends Error {\n  constructor(m) { super(m) }\n}\nthrow new (make())('x')",
    { code: "thrown", message: /^x$/, line: 4 },
  ],
  [
    "an error from a function that is called like its class",
    "class Failed extends Error {}\nconst make = {\n  Failed: (m) => new Error(m) }\n\nthrow make.Failed('x')",
    { code: "thrown", message: /^x$/, line: 3 },
  ],
  [
    "a cause",
    "throw new Error('a', { cause: new TypeError('b', { cause: 'c' }) })",
    { code: "thrown", message: /^a \(caused by: TypeError: b \(caused by: c\)\)$/ },
  ],
  [
    "a cause that is its own",
    "const e = new Error('a')\ne.cause = e\nthrow e",
    { code: "thrown", message: /^a \(caused by: a .*a\)+$/, line: 1 },
  ],
  [
    "all errors of Promise.any",
    "await Promise.any([1, 2, 3, 4, 5].map((n) => Promise.reject(new RangeError('e' + n))))",
    { code: "thrown", name: "AggregateError", message: /^RangeError: e1; RangeError: e2; RangeError: e3; and 2 more$/ },
  ],
  ["an aggregate with a message", "throw new AggregateError(['p', new Error('q')], 'both')", { code: "thrown", message: /^both: p; q$/ }],
  ...["constructor", "toString", "__proto__", "hasOwnProperty"].map(
    (message) =>
      [
        `the message ${message}`,
        `throw new Error('${message}')`,
        { code: "thrown", message: new RegExp(`^${message}$`), line: 1 },
      ] as const,
  ),
  ["a thrown text", "throw 'plain'", { code: "thrown", name: "Error", message: /^plain$/ }],
  ["a thrown object", "throw { reason: 1 }", { code: "thrown", name: "Error", message: /"reason":1/ }],
  ["a thrown nothing", "throw undefined", { code: "thrown", message: /undefined/ }],
  ["a rejected promise", "return Promise.reject(new Error('later'))", { code: "thrown", message: /^later$/, line: 1 }],
  [
    "an error in a timer",
    "await new Promise(() => setTimeout(() => { throw new Error('tick') }, 1))",
    { code: "thrown", message: /^tick$/ },
  ],
  ["an unknown name", "return missing.x", { code: "thrown", name: "ReferenceError", message: /missing is not defined/, line: 1 }],
  ["process", "return process.env.HOME", { code: "thrown", message: /There is no `process` in the sandbox/ }],
  ["require", "const fs = require('fs')", { code: "thrown", message: /Module 'fs' is not available/ }],
  ["fetch", "await fetch('https://example.com')", { code: "thrown", message: /call a tool instead/ }],
  ["a dynamic import", "const a = 1\nawait import('fs')", { code: "thrown", message: /import\(\) is not available/, line: 2, column: 7 }],
  [
    "an import statement",
    "const a = 1\nimport fs from 'fs'\nreturn 1",
    { code: "syntax", message: /^`import` is not available in the sandbox: .* instead\.$/, line: 2, column: 1 },
  ],
  [
    "an import in a module",
    "import fs from 'fs'\nexport default fs",
    { code: "thrown", message: /Module 'fs' is not available/, line: 1, column: 1 },
  ],
  [
    "a namespace",
    "const a = 1\nnamespace N {\n  export const b = 1\n}\nreturn N.b",
    { code: "syntax", name: "SyntaxError", message: /^Namespaces are not available/, line: 2 },
  ],
  ["a syntax error", "const a = 1\nconst b = ;\nreturn b", { code: "syntax", name: "SyntaxError", message: /token/, line: 2, column: 11 }],
  [
    "a syntax error behind types",
    "const a: number = 1\nconst b: string = ;",
    { code: "syntax", name: "SyntaxError", message: /token/, line: 2, column: 19 },
  ],
  ["a brace that is missing", "if (true) {\n  return 1\n", { code: "syntax", name: "SyntaxError", message: /./ }],
  ["a brace too many", "return 1\n}", { code: "syntax", name: "SyntaxError", message: /did not open/, line: 2, column: 1 }],
  [
    "code that closes its wrapper",
    "}); globalThis.x = 1; (async()=>{ return 5",
    { code: "syntax", name: "SyntaxError", message: /./, line: 1 },
  ],
  ["an expression that closes its wrapper", "1)); globalThis.x = 1; (async()=>(2", { code: "syntax", name: "SyntaxError", message: /./ }],
  [
    "code that closes its wrapper behind types and a regular expression",
    "const a: RegExp = /}/\n}); globalThis.x = 1; (async()=>{ return 5",
    { code: "syntax", name: "SyntaxError", message: /./, line: 2 },
  ],
  ["code that makes two of its wrapper", "/}/; return 1 }, async () => { return 2", { code: "syntax", name: "SyntaxError", message: /./ }],
  ["a promise that nothing can settle", "await new Promise(() => {})", { code: "thrown", message: /nothing can settle/ }],
  ["endless recursion", "function f() { return f() }\nf()", { code: "thrown", name: "RangeError", message: /call stack/ }],
]

export function testErrors(use: () => Sandbox): void {
  describe("errors", () => {
    for (const [name, code, expected] of failing) {
      test(`reports ${name}`, async () => {
        const error = failureOf(await runWith(use(), code))
        expect(error).toMatchObject({ ...expected, message: expect.stringMatching(expected.message) as unknown })
      })
    }

    test("points to the call whose failure was not caught", async () => {
      const host = createLedgerHost(() => failure("upstream_error", "Not Found", { status: 404 }))
      const error = failureOf(await runWith(use(), "const a = 1\n\nawait tools.a.b({}).unwrap()", host))
      expect(error).toMatchObject({ code: "thrown", name: "ToolError", message: "a.b() failed: upstream_error 404: Not Found", line: 3 })
    })

    test("shows the guest a stack of its own lines only", async () => {
      const stack = resultOf(await runWith(use(), "try {\n  await tools.a.b(1n).unwrap()\n} catch (e) {\n  return e.stack\n}"))
      expect(stack).toMatch(/code\.ts:2/)
      expect(stack).toMatch(/^ToolError: The arguments of a\.b cannot be written as JSON: .*\n    at /)
      expect(stack).not.toMatch(/node_modules|file:|\/src\/|wasm|worker|executor:/)
      const code = `const seen = []
        class Mine extends Error { constructor(m) { super(m); Error.captureStackTrace(this, Mine) } }
        for (const attempt of [() => null.x, () => new URL('x'), () => setTimeout(1), () => structuredClone(() => 1), () => { throw new Mine('m') }, () => { throw new Error() }])
          try { attempt() } catch (e) { seen.push(e.stack) }
        return seen`
      const stacks = resultOf(await runWith(use(), code)) as string[]
      for (const one of stacks) {
        expect(one).toMatch(/code\.ts:\d/)
        expect(one).not.toMatch(/executor:/)
      }
      const heads = [
        "TypeError: cannot read property 'x' of null",
        "TypeError: Invalid URL",
        "TypeError: A timer needs a function.",
        "DataCloneError: A function could not be cloned.",
        "Error: m",
        "Error",
      ]
      expect(stacks.map((one) => one.split("\n")[0])).toEqual(heads)
    })

    test("bounds the message of an error", async () => {
      const error = failureOf(await runWith(use(), "throw new Error('x'.repeat(1e6))"))
      expect(error.message.length).toBeLessThan(10_000)
    })
  })
}
