// The cookie of a browser session, as it is written and read.
import { expect, test } from "vitest"
import { readSessionCookie, sessionCookie } from "./session-cookie.ts"

const plain = new Headers({ host: "executor.example" })

const secure = { isSecure: true }
const open = { isSecure: false }

test("over TLS it belongs to this host alone", () => {
  expect(sessionCookie("s", 1000, plain, secure)).toBe("__Host-executor_session=s; Path=/; Max-Age=1; HttpOnly; SameSite=Strict; Secure")
  expect(sessionCookie("s", 1000, plain, open)).toBe("executor_session=s; Path=/; Max-Age=1; HttpOnly; SameSite=Strict")
})

test("a cookie that could have been set without TLS does not count over TLS", () => {
  const headers = new Headers({ host: "executor.example", cookie: "executor_session=planted; __Host-executor_session=own" })
  expect(readSessionCookie(headers, secure)).toBe("own")
  expect(readSessionCookie(new Headers({ host: "executor.example", cookie: "executor_session=planted" }), secure)).toBeNull()
})

test.each([
  ["executor_session=exs_a-b_1", "exs_a-b_1"],
  ["other=1; executor_session=exs_a; more=2", "exs_a"],
  ["xexecutor_session=exs_a", null],
  ["executor_session=", null],
  ['executor_session="quoted"', null],
  ["executor_session=a b", null],
])("%s holds %s", (cookie, expected) => {
  expect(readSessionCookie(new Headers({ cookie, host: "executor.example" }), open)).toBe(expected)
})

test("servers on two ports of one host keep their own", () => {
  const [first, second] = [new Headers({ host: "127.0.0.1:1" }), new Headers({ host: "127.0.0.1:2" })]
  const cookie = [sessionCookie("exs_a", 1, first, open), sessionCookie("exs_b", 1, second, open)]
    .map((one) => one.split(";")[0])
    .join("; ")
  expect([1, 2].map((port) => readSessionCookie(new Headers({ cookie, host: `127.0.0.1:${port}` }), open))).toEqual(["exs_a", "exs_b"])
  expect(readSessionCookie(plain, open)).toBe(null)
})
