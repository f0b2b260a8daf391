// What a client is asked to show, and which of its answers count.
import { describe, expect, test } from "vitest"
import type { Interaction } from "../../../core/execution.ts"
import { readAnswers, toInputRequests } from "./requests.ts"

const approval: Interaction = {
  approvalId: "apr_1",
  kind: "approval",
  message: "Allow it?",
  address: "tools.a.org.main.b",
  args: { x: 1 },
  effect: "write",
  requestedBy: "claude",
  reason: "",
}
const form: Interaction = {
  ...approval,
  approvalId: "apr_2",
  kind: "form",
  requestedSchema: {
    type: "object",
    properties: { color: { type: "string", enum: ["red"] }, many: { type: "array", items: { enum: ["a"] } } },
  },
}
const page: Interaction = { ...approval, approvalId: "apr_3", kind: "url", url: "https://example.com/x" }
const rich: Interaction = { ...form, approvalId: "apr_4", requestedSchema: { type: "object", properties: { o: { type: "object" } } } }
const all = { form: true, url: true }
const pageUrl = "http://127.0.0.1:4788/approve/exe_1"

describe("requests", () => {
  test("each question is one, with the call that it is about", () => {
    const requests = toInputRequests([approval, form, page], pageUrl, all, null)
    expect(Object.keys(requests ?? {})).toEqual(["apr_1", "apr_2", "apr_3"])
    expect(requests?.["apr_1"]).toMatchObject({
      method: "elicitation/create",
      params: {
        mode: "form",
        message: 'Allow it?\n\ntools.a.org.main.b\n{\n  "x": 1\n}',
        requestedSchema: { type: "object", properties: {} },
      },
    })
    expect(requests?.["apr_3"]).toMatchObject({ params: { mode: "url", url: "https://example.com/x" } })
  })

  test("what the client cannot show is asked on the page, or not at all", () => {
    for (const interactions of [[rich], [approval, rich], [{ ...approval, args: { text: "x".repeat(10_000) } }]]) {
      expect(Object.keys(toInputRequests(interactions, pageUrl, all, null) ?? {})).toEqual(["page"])
      expect(toInputRequests(interactions, pageUrl, { form: true, url: false }, null)).toBeNull()
    }
    expect(toInputRequests([page], null, { form: true, url: false }, null)).toBeNull()
    expect(toInputRequests([approval], null, { form: false, url: true }, null)).toBeNull()
    expect(Object.keys(toInputRequests([approval], pageUrl, { form: false, url: true }, null) ?? {})).toEqual(["page"])
  })

  test("nothing that hides or turns what is read around reaches the human", () => {
    const hostile = { ...approval, message: "Allow \u202eevil\u0007?", args: { "a\u200bb": "\u202e" } }
    const text = JSON.stringify(toInputRequests([hostile], pageUrl, all, null))
    expect(text).not.toMatch(/[\u202e\u200b]/)
    expect(text).toContain("\\\\u202e")
  })
})

describe("answers", () => {
  const read = (responses: Record<string, unknown>) => readAnswers([approval, form], responses)

  test("count for what was asked, with the content of forms alone", () => {
    expect(read({ apr_1: { action: "accept", content: { x: 1 } }, apr_2: { action: "accept", content: { color: "red" } } })).toEqual({
      kind: "answers",
      answers: [
        { action: "accept", approvalId: "apr_1" },
        { action: "accept", approvalId: "apr_2", content: { color: "red" } },
      ],
    })
    expect(read({ page: { action: "decline" } })).toMatchObject({
      kind: "answers",
      answers: [{ action: "decline" }, { action: "decline" }],
    })
    expect(read({ page: { action: "accept" } })).toEqual({ kind: "page" })
  })

  test.each([{}, { apr_9: { action: "accept" } }, { apr_1: { action: "yes" } }, { apr_1: true }, { apr_1: { role: "user", content: [] } }])(
    "%j is none",
    (responses) => {
      expect(read(responses)).toEqual({ kind: "none" })
    },
  )
})
