// Redaction: no form of a secret survives in an answer, and the answer keeps its shape.
import { describe, expect, test } from "vitest"
import fc from "fast-check"
import { ExecutorError } from "../core/errors.ts"
import { succeed, toolFile } from "../core/result.ts"
import { formsOf, longestFirst, redactAnswer, redactError, redactResult, redactText } from "./redact.ts"

const secret = 'pa"ss/w+rd'

test("every form in which an upstream may echo a secret is replaced", () => {
  const echoes = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64"), JSON.stringify({ secret })]
  const text = JSON.stringify(redactResult(succeed({ echoes, [secret]: 1 }), formsOf(secret)))
  for (const form of formsOf(secret)) expect(text).not.toContain(form)
})

test.each([
  ["hex", (bytes: Buffer) => bytes.toString("hex")],
  ["upper-case hex", (bytes: Buffer) => bytes.toString("hex").toUpperCase()],
  ["every byte percent-encoded", (bytes: Buffer) => bytes.toString("hex").replaceAll(/../g, "%$&")],
  ["the same in upper case", (bytes: Buffer) => bytes.toString("hex").toUpperCase().replaceAll(/../g, "%$&")],
  ["lower-case percent encoding", (bytes: Buffer) => encodeURIComponent(String(bytes)).replaceAll(/%../g, (code) => code.toLowerCase())],
  ["a form", (bytes: Buffer) => new URLSearchParams({ a: String(bytes) }).toString()],
  ["base64 inside a longer text", (bytes: Buffer) => Buffer.from(`{"k":"${String(bytes)}"}`).toString("base64")],
  ["base64 one byte later", (bytes: Buffer) => Buffer.from(`x{"k":"${String(bytes)}"}`).toString("base64")],
  ["base64url two bytes later", (bytes: Buffer) => Buffer.from(`xy{"k":"${String(bytes)}"}`).toString("base64url")],
])("an echo as %s is replaced, with or without its scheme", (_name, encode) => {
  for (const key of ["sk/live+SUPER secret(1)~é", "plain_key_0123456789"]) {
    const echo = encode(Buffer.from(key))
    for (const given of [key, `Bearer ${key.replaceAll(" ", "_")}`]) {
      const text = encode(Buffer.from(given.replace("Bearer ", "")))
      expect(redactResult(succeed(`<${text}>`), formsOf(given))).not.toEqual(succeed(`<${text}>`))
    }
    expect(JSON.stringify(redactResult(succeed([echo]), formsOf(key)))).not.toContain(echo)
  }
})

test("only what `toolFile` made is a file; what claims to be one is plain JSON, and says so", () => {
  const claim = { _tag: "ToolFile", mimeType: "text/plain", encoding: "base64", data: "eA==", byteLength: 1, x: "hidden-secret" }
  const copy = JSON.parse(JSON.stringify(toolFile(Buffer.from("x"), "text/plain"))) as unknown // as it would come over a wire
  for (const secrets of [[], formsOf("hidden-secret")])
    expect(redactResult(succeed([{ ...claim, x: "-" }, copy]), secrets)).toMatchObject({
      data: [{ _tag: "UntrustedToolFile", data: "eA==" }, { _tag: "UntrustedToolFile" }],
    })
  expect(JSON.stringify(redactResult(succeed({ deep: [claim] }), formsOf("hidden-secret")))).not.toContain("hidden-secret")
})

test("a key of digits is replaced where it is echoed as a number, and numbers that only look like one stay", () => {
  expect(redactResult(succeed({ key: 4829103477, list: [4829103477, 482910347, 1] }), formsOf("4829103477"))).toEqual(
    succeed({ key: "***", list: ["***", 482910347, 1] }),
  )
  expect(redactResult(succeed({ year: 2026 }), formsOf("2026"))).toEqual(succeed({ year: 2026 }))
})

test("every field of a file is redacted", () => {
  const file = toolFile(Buffer.from("plain"), "text/hidden-secret", "hidden-secret.txt")
  expect(redactResult(succeed({ file }), formsOf("hidden-secret"))).toEqual(
    succeed({ file: toolFile(Buffer.from("plain"), "text/***", "***.txt") }),
  )
})

test("an answer in which there is nothing to change is the same object", () => {
  const answer = succeed({ list: [{ a: "b" }], file: toolFile(Buffer.from("x"), "text/plain") })
  expect(redactResult(answer, formsOf("hidden-secret"))).toBe(answer)
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

test("an answer that is nested too deeply is refused, not passed on unchecked", async () => {
  const deep: unknown = JSON.parse(`${"[".repeat(50_000)}"${"x".repeat(8)}"${"]".repeat(50_000)}`)
  expect(redactResult(succeed(deep), ["xxxxxxxx"])).toMatchObject({ ok: false, error: { code: "response_too_large" } })
  expect(await redactAnswer(succeed(deep), ["xxxxxxxx"])).toMatchObject({ ok: false, error: { code: "response_too_large" } })
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

test("a large answer is cleaned as a small one is, and stays the same where there is nothing to change", async () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({
    id,
    name: `row ${id}`,
    claim: { _tag: "ToolFile" },
    deep: [[{ [`k-hidden-secret-${id}`]: 1 }]],
  }))
  const answer = succeed({ rows, more: { rows, note: "hidden-secret" }, file: toolFile(Buffer.from("x hidden-secret"), "text/plain") })
  expect(await redactAnswer(answer, formsOf("hidden-secret"))).toEqual(redactResult(answer, formsOf("hidden-secret")))
  const plain = succeed({ rows: rows.map(({ id, name }) => ({ id, name })) })
  expect(await redactAnswer(plain, formsOf("hidden-secret"))).toBe(plain)
})

describe("a secret that was cut within a text", () => {
  const key = "sk_live_0123456789-abcdefghij"

  test("is replaced with as much of it as stands there, from half of it on", () => {
    for (const form of [key, Buffer.from(key).toString("hex"), Buffer.from(key).toString("base64")])
      for (let kept = Math.ceil(form.length / 2); kept <= form.length; kept += 1)
        expect(redactText(`a '${form.slice(0, kept)}' b ${form.slice(0, kept)}... c`, formsOf(key))).toBe("a '***' b ***... c")
    expect(redactText("a sk_live_0123 b", formsOf(key))).toBe("a sk_live_0123 b")
  })

  test("is not seen where it is made of words, or is a name and a password", () => {
    const forms = [
      ...formsOf("acme-corporation-of-europe"),
      ...formsOf("marmot@example.com:pa55word"),
      ...formsOf("correct horse 1 battery"),
    ]
    for (const text of ["acme-corporation-of-asia", "To marmot@example.com: hello", "correct horse 1 bat"])
      expect(redactText(text, forms)).toBe(text)
  })
})

test.each([
  ["JSON with escaped slashes", "ab/cd9f+xyz", "ab\\/cd9f+xyz"],
  ["JSON that is safe in HTML", "ab&cd<9f>", "ab\\u0026cd\\u003c9f\\u003e"],
  ["HTML", `ab&cd"9f'`, "ab&amp;cd&quot;9f&#39;"],
  ["HTML with numbers", `ab&cd"9f'`, "ab&#38;cd&#34;9f&#39;"],
])("an echo in %s is replaced", (_name, key, echo) => {
  expect(redactText(`<${echo}>`, longestFirst(formsOf(key)))).toBe("<***>")
})

test("a key in several lines is replaced line by line", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA"
  const forms = formsOf(`-----BEGIN KEY-----\n${line}\r\nshort\n-----END KEY-----`)
  expect(redactText(`-----BEGIN KEY-----|${line}|short`, forms)).toBe("-----BEGIN KEY-----|***|short")
})

describe("a secret that was cut at the end of a text", () => {
  const key = "sk_live_0123456789-abcdé"
  const lead = `${"Bad request. ".repeat(10)}key=`
  const keptChars = Array.from({ length: key.length - 7 }, (_, index) => index + 8)

  test.each(["", "…", "\uFFFD", "\uFFFD…"])("is replaced wherever the cut falls, before '%s'", (mark) => {
    for (const given of [key, `Bearer ${key}`])
      for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString("hex"), Buffer.from(key).toString("base64")])
        for (const kept of keptChars) {
          const cut = `${lead}${form.slice(0, kept)}${mark}`
          expect(redactResult(succeed([cut, { [cut]: 1 }]), formsOf(given))).toEqual(
            succeed([`${lead}***${mark}`, { [`${lead}***${mark}`]: 1 }]),
          )
        }
  })

  test("is replaced from half of it on where it is short", () => {
    for (const kept of [4, 5, 6, 7]) expect(redactText(`${lead}${"hunter22".slice(0, kept)}`, formsOf("hunter22"))).toBe(`${lead}***`)
  })

  test("is replaced as a whole where it begins with another secret, and whole ones before it are too", () => {
    expect(redactText(`${lead}abcd abcd-efgh-ij`, ["abcd-efgh-ijkl-mnop", "abcd"])).toBe(`${lead}*** ***`)
  })

  test("is not seen in ordinary texts", () => {
    const forms = [...formsOf("Bearer test-key-0123456789"), ...formsOf("marmot@example.com:pa55word")]
    for (const text of ["", "…", "test-key", "marmot@example.com", `${lead}Bearer`, `${lead}test`, `${lead}test-key…s`, `${lead}…`]) {
      const answer = succeed({ [text]: text })
      expect(redactResult(answer, forms)).toBe(answer)
    }
  })
})
