// Tests that what a human enters into a form fits it, and that nothing else is checked.
import { expect, test } from "vitest"
import { approvalRow } from "../../store/executions/testing/samples.ts"
import { checkContent } from "./content.ts"

const scope = { tenant: "t", user: "alice" }
const schema = JSON.stringify({ type: "object", properties: { age: { type: "integer" } }, required: ["age"] })
const form = approvalRow(scope, { id: "apr_1", kind: "form", requestedSchema: schema })

test("content that fits is accepted", () => {
  expect(() => checkContent(form, { age: 7 }, 1)).not.toThrow()
})

test.each([[{ age: "seven" }], [{}], [undefined], [7]])("the content %j is refused, with the approval it is for", (content) => {
  expect(() => checkContent(form, content, 1)).toThrow(expect.objectContaining({ code: "invalid_request" }))
})

test("of several that are answered together, the message names the one", () => {
  expect(() => checkContent(form, {}, 1)).toThrow(/^content: /)
  expect(() => checkContent(form, {}, 2)).toThrow(/^content of 'apr_1', which is answered alone/)
})

test.each([{ kind: "approval" }, { kind: "url" }, { requestedSchema: null }] as const)("without a form, anything goes: %j", (change) => {
  expect(() => checkContent({ ...form, ...change }, "anything", 1)).not.toThrow()
})
