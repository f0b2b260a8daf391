// The cookie of a browser session, as it is written and read.
import { expect, test } from "vitest"
import { readSessionCookie, sessionCookie } from "./session-cookie.ts"

test("it is secure where the public address is", () => {
  expect(sessionCookie("s", 1000, "https://executor.example")).toContain("; HttpOnly; SameSite=Strict; Secure")
  expect(sessionCookie("s", 1000, "http://127.0.0.1:4788")).not.toContain("Secure")
})

test.each([
  ["executor_session=exs_a-b_1", "exs_a-b_1"],
  ["other=1; executor_session=exs_a; more=2", "exs_a"],
  ["xexecutor_session=exs_a", null],
  ["executor_session=", null],
  ['executor_session="quoted"', null],
  ["executor_session=a b", null],
])("%s holds %s", (cookie, expected) => {
  expect(readSessionCookie(new Headers({ cookie }))).toBe(expected)
})
