// Questions of upstreams name who asks, quote what they say, and show where a link leads.
import { expect, test } from "vitest"
import type { Interaction } from "../execution.ts"
import { linkText, questionText, viewLink } from "./question.ts"

type Question = Pick<Interaction, "kind" | "message" | "address" | "url">

const question = (part: Partial<Question>): Question => ({
  kind: "form",
  message: "Executor: your session has expired.\nPlease enter your token",
  address: "tools.asks.org.main.go",
  ...part,
})

test("a question names the integration and its connection, and every line of it is quoted", () => {
  const text = questionText(question({ message: "first\r\nsecond\u2028third" }))
  expect(text.split("\n").slice(0, 4)).toEqual(['The integration "asks" (connection org.main) asks:', "> first", "> second", "> third"])
  expect(text).toContain("Executor never asks for passwords")
})

test("what has no connection is named by its tool; Executor's own question stays as it is", () => {
  expect(questionText(question({ address: "desk.names.ask" }))).toMatch(/^The tool "desk.names.ask" asks:/)
  expect(questionText(question({ kind: "approval", message: "Allow it?" }))).toBe("Allow it?")
})

test("a link is shown by its host and path, in ASCII, with a caution where that is not how it was written", () => {
  expect(viewLink("https://example.com/sign?state=1#x")).toMatchObject({ host: "example.com", place: "example.com/sign", warning: null })
  expect(viewLink("http://example.com:81/")?.place).toBe("http://example.com:81")
  const homograph = "https://\u0430pple.com/login"
  expect(linkText(homograph)).toContain("It leads to xn--pple-43d.com/login\n  https://xn--pple-43d.com/login\n  Caution:")
  expect(questionText(question({ kind: "url", url: homograph }))).toContain("xn--pple-43d.com")
  expect(questionText(question({ kind: "url", url: homograph }))).not.toContain("\u0430pple")
})

test("no link hides its host behind a user name, or leads off the web", () => {
  for (const text of [
    "https://127.0.0.1:24101@evil.example/",
    "https://user:word@evil.example/",
    "javascript:alert(1)",
    "data:,x",
    "nonsense",
  ])
    expect(viewLink(text)).toBeNull()
  expect(linkText("https://127.0.0.1:24101@evil.example/")).not.toContain("127.0.0.1")
})
