// Questions of servers: what a human is shown holds no secret and nothing that hides text.
import { expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { toQuestion } from "./question.ts"

const redact = (text: string): string => text.replaceAll("hidden-secret", "***")

test("a form is clean in every text, names among them", () => {
  const requestedSchema = {
    type: "object" as const,
    properties: {
      "of hidden-secret": {
        type: "string" as const,
        title: "\u202eName\u200b",
        description: "not hidden-secret",
        default: "hidden-secret",
      },
    },
  }
  expect(toQuestion({ message: "hidden-secret\u001b[2J?", requestedSchema }, redact, defaultLimits)).toEqual({
    kind: "form",
    message: "***[2J?",
    requestedSchema: {
      type: "object",
      properties: { "of ***": { type: "string", title: "Name", description: "not ***", default: "***" } },
    },
  })
})

test("a link that holds a secret is shown to nobody", () => {
  const url = "https://example.com/?key=hidden-secret"
  expect(toQuestion({ mode: "url", message: "Open", url, elicitationId: "1" }, redact, defaultLimits)).toMatchObject({ kind: "refused" })
})
