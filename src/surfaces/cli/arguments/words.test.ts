// The words behind `executor call`: a path, then arguments in any of their forms.
import { expect, test } from "vitest"
import { callCode, isCallCode, isEnvelope } from "../../../core/call/code.ts"
import { splitCallWords } from "./words.ts"

test.each([
  [["github.org.main.repos.get"], "github.org.main.repos.get", null, []],
  [["tools.github.org.main.repos.get"], "github.org.main.repos.get", null, []],
  [["github", "org", "main", "repos", "get"], "github.org.main.repos.get", null, []],
  [["github.org", "main.repos", "get", '{"a":1}'], "github.org.main.repos.get", '{"a":1}', []],
  [["a.b", "-"], "a.b", "-", []],
  [["a.b", "@file.json"], "a.b", "@file.json", []],
  [["a.b", "x=1", "y={}"], "a.b", null, ["x=1", "y={}"]],
  [["a.b", "{}", "x=1"], "a.b", "{}", ["x=1"]],
  [["a.b", "text=a b"], "a.b", null, ["text=a b"]],
  [["a.foo-bar"], "a.foo-bar", null, []],
  [[], "", null, []],
])("%j", (words, path, input, pairs) => {
  expect(splitCallWords(words)).toMatchObject({ path, input, pairs })
})

test.each([
  [["a.b", "{}", "{}"], "once"],
  [["a.b", "-", "@x"], "once"],
  [["a.b", "{}", "c"], "'c' comes after the arguments"],
  [["a.b", "two words"], "neither part of a path nor JSON"],
  [["a.b", "key:value"], "neither part of a path nor JSON"],
  [["a.b", "5"], "'5' is not part of a path. Write arguments as key=value"],
  [["a.b", "-1.5"], "is not part of a path"],
  [["a", "b", "5"], "is not part of a path"],
  [["a.b", ""], "neither part of a path nor JSON"],
])("%j is refused", (words, message) => {
  expect(() => splitCallWords(words)).toThrow(message)
})

test.each([
  [{}],
  [{ a: 1 }],
  [{ text: 'quote " ) ; \\ \u2028 `${x}`' }],
  [JSON.parse('{"__proto__":{"x":1},"a":"))"}') as object],
  [{ long: "x".repeat(200) }],
])("the code of a call with %j is known again, and gives the same arguments", async (args) => {
  const code = callCode("orders.create", args as Record<string, unknown>)
  expect(isCallCode(code)).toBe(true)
  const AsyncFunction = (async () => {}).constructor as new (name: string, body: string) => (tools: unknown) => Promise<unknown>
  const got = await new AsyncFunction("tools", code)({ "orders.create": (given: unknown) => given })
  expect(JSON.stringify(got)).toBe(JSON.stringify(args))
})

test.each([
  "return 1",
  'return await tools["a.b"]({}); steal()',
  'return await tools["a.b"](x)',
  'const x = 1\nreturn await tools["a.b"]({})',
])("%s is other code", (code) => {
  expect(isCallCode(code)).toBe(false)
})

test("an envelope is told from what built-ins answer", () => {
  expect(isEnvelope({ ok: true, data: null })).toBe(true)
  expect(isEnvelope({ ok: false, error: { code: "x", message: "y" } })).toBe(true)
  expect(isEnvelope({ items: [], total: 0 })).toBe(false)
  expect(isEnvelope({ ok: "yes", data: 1 })).toBe(false)
  expect(isEnvelope(null)).toBe(false)
})
