// The cookie of a browser session, as it is written and read.
import { expect, test } from "vitest"
import { readSessionCookie, sessionCookie } from "./session-cookie.ts"

const plain = new Headers({ host: "executor.example" })

test("it is secure where the public address is", () => {
  expect(sessionCookie("s", 1000, "https://executor.example", plain)).toContain("; HttpOnly; SameSite=Strict; Secure")
  expect(sessionCookie("s", 1000, "http://127.0.0.1:4788", plain)).not.toContain("Secure")
})

test.each([
  ["executor_session=exs_a-b_1", "exs_a-b_1"],
  ["other=1; executor_session=exs_a; more=2", "exs_a"],
  ["xexecutor_session=exs_a", null],
  ["executor_session=", null],
  ['executor_session="quoted"', null],
  ["executor_session=a b", null],
])("%s holds %s", (cookie, expected) => {
  expect(readSessionCookie(new Headers({ cookie, host: "executor.example" }))).toBe(expected)
})

test("servers on two ports of one host keep their own", () => {
  const [first, second] = [new Headers({ host: "127.0.0.1:1" }), new Headers({ host: "127.0.0.1:2" })]
  const cookie = [sessionCookie("exs_a", 1, undefined, first), sessionCookie("exs_b", 1, undefined, second)]
    .map((one) => one.split(";")[0])
    .join("; ")
  expect([1, 2].map((port) => readSessionCookie(new Headers({ cookie, host: `127.0.0.1:${port}` })))).toEqual(["exs_a", "exs_b"])
  expect(readSessionCookie(plain)).toBe(null)
})
