// Arguments as models write them, well or badly.
import { expect, test } from "vitest"
import { readArguments } from "./call-arguments.ts"
import { FunctionCallError } from "./function-call-error.ts"

test.each([
  ["{}", {}],
  ["", {}],
  [" \n", {}],
  ['{"a":[1]}', { a: [1] }],
  ['"{\\"a\\":1}"', { a: 1 }],
])("%j is understood", (text, expected) => {
  expect(readArguments(text)).toEqual(expected)
  expect(readArguments({ type: "function", arguments: text })).toEqual(expected)
  expect(readArguments({ type: "mcp", server: "s", tool: "t", rawArguments: text })).toEqual(expected)
})

test.each(["{bad", "12", '"12"', "[]", "null", '"text"'])("%j is an error that the model reads", (text) => {
  const read = (): unknown => readArguments(text)
  expect(read).toThrow(FunctionCallError)
  expect(read).toThrow("failed to parse function arguments: ")
})

test("calls without arguments have none to read", () => {
  expect(() => readArguments({ type: "custom", input: "{}" })).toThrow("this call has none")
})
