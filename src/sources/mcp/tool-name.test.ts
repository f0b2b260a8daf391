// Tests the names of tools: what is kept of the server's, and what happens to those that cannot be told apart.
import { expect, test } from "vitest"
import { ToolName } from "../../core/address.ts"
import { toolNameBytesMax } from "../tool-name.ts"
import { nameTools } from "./tool-name.ts"

const none: ReadonlySet<string> = new Set()

test.each([
  ["read_file", "read_file"],
  ["files/read-all.v2", "files.read_all.v2"],
  ["get tiny image", "get_tiny_image"],
  ["1password", "_1password"],
  ["then", "then_"],
  ["a.then.b", "a.then_.b"],
  ["//x..y/", "x.y"],
  ["", "_"],
  ["…", "_"],
  ["délete", "d_lete"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
])("%j is called %j", (name, expected) => expect(nameTools([name], none)).toEqual([expected]))

test("names that collide all get a hash of their own, in any order", () => {
  const [dash, space, other] = nameTools(["a-b", "a b", "c"], none)
  expect(dash).toMatch(/^a_b_[0-9a-f]{8}$/)
  expect(space).toMatch(/^a_b_[0-9a-f]{8}$/)
  expect(dash).not.toBe(space)
  expect(other).toBe("c")
  expect(nameTools(["c", "a b", "a-b"], none)).toEqual([other, space, dash])
})

test("a name of ours is not taken by the server's", () => {
  expect(nameTools(["resources.list"], new Set(["resources.list"]))[0]).toMatch(/^resources\.list_[0-9a-f]{8}$/)
})

test("a long name is cut, and stays a name", () => {
  const long = nameTools(["x".repeat(500), `${"y.".repeat(200)}z`, "x".repeat(501)], none)
  for (const name of long) {
    expect(name.length).toBeLessThanOrEqual(toolNameBytesMax)
    expect(ToolName.check(name).ok).toBe(true)
  }
  expect(new Set(long).size).toBe(3)
})
