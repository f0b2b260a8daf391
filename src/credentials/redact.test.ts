// Redaction: no form of a secret survives in an answer, and the answer keeps its shape.
import { expect, test } from "vitest"
import fc from "fast-check"
import { ExecutorError } from "../core/errors.ts"
import { succeed, toolFile } from "../core/result.ts"
import { formsOf, redactError, redactResult } from "./redact.ts"

const secret = 'pa"ss/w+rd'

test("every form in which an upstream may echo a secret is replaced", () => {
  const echoes = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64"), JSON.stringify({ secret })]
  const text = JSON.stringify(redactResult(succeed({ echoes, [secret]: 1 }), formsOf(secret)))
  for (const form of formsOf(secret)) expect(text).not.toContain(form)
})

test("a secret that contains another leaves nothing of itself", () => {
  expect(redactResult(succeed("abcdef-abcd"), ["abcd", "abcdef"])).toEqual(succeed("***-***"))
})

test("what holds no secret is unchanged, `__proto__` included", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const data: unknown = JSON.parse(JSON.stringify(value))
      expect(JSON.stringify(redactResult(succeed(data), ["\u0001never\u0001"]))).toBe(JSON.stringify(succeed(data)))
    }),
  )
})

test("an answer that is nested too deeply is refused, not passed on unchecked", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(50_000)}"${"x".repeat(8)}"${"]".repeat(50_000)}`)
  expect(redactResult(succeed(deep), ["xxxxxxxx"])).toMatchObject({ ok: false, error: { code: "response_too_large" } })
})

test("a file that holds a secret stays a file", () => {
  const redacted = redactResult(succeed(toolFile(Buffer.from("a hidden-secret b"), "text/plain")), formsOf("hidden-secret"))
  expect(redacted).toEqual(succeed(toolFile(Buffer.from("a *** b"), "text/plain")))
})

test("of an authorization header its value alone is a secret as well", () => {
  expect(redactResult(succeed("you sent abc-123456"), formsOf("Bearer abc-123456"))).toEqual(succeed("you sent ***"))
})

test("an error keeps its code and loses the secret, wherever it stands", () => {
  const secrets = formsOf("hidden-secret")
  const clean = redactError(new ExecutorError("invalid_request", "bad hidden-secret", { body: ["hidden-secret"] }), secrets)
  expect(clean).toMatchObject({ code: "invalid_request", message: "bad ***", details: { body: ["***"] } })
  expect(String(redactError(new TypeError("x", { cause: new Error("hidden-secret") }), secrets))).toBe("Error: x")
  const innocent = new ExecutorError("not_found", "nothing", { tried: ["a"] })
  expect(redactError(innocent, secrets)).toBe(innocent)
})
