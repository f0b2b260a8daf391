// Forms are a stranger's: their lines are safe to read, and their example is safe to paste.
import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import { contentExample, fieldLines, formFields } from "./form-fields.ts"

const form = (properties: Record<string, unknown>, required: readonly string[] = []) =>
  ({ kind: "form", requestedSchema: { type: "object", properties, required } }) as const

test("types, choices and what must be answered", () => {
  const asked = form(
    {
      email: { type: "string", format: "email", title: "E-mail", description: "Where to" },
      kind: { type: "string", oneOf: [{ const: "a", title: "First" }, { const: "b" }] },
      tags: { type: "array", items: { type: "string", enum: ["x", "y"] } },
      age: { type: "number", minimum: 18, default: 20 },
      free: {},
    },
    ["email"],
  )
  expect(fieldLines(formFields(asked))).toEqual([
    "email  string, required    E-mail: Where to",
    'kind   "a" or "b"',
    'tags   list of "x" or "y"',
    "age    number",
    "free   anything",
  ])
  expect(contentExample([asked])).toBe(`--content '{"email":"…"}'`)
  const { required: _, ...schema } = asked.requestedSchema
  expect(contentExample([{ kind: "form", requestedSchema: schema }])).toBe(
    `--content '{"email":"…","kind":"a","tags":["x"],"age":20,"free":"…"}'`,
  )
})

test("what is no form has neither fields nor an example", () => {
  expect(formFields({ kind: "approval", requestedSchema: form({ a: {} }).requestedSchema })).toEqual([])
  expect(contentExample([{ kind: "url" }, form({}), { kind: "form" }])).toBe("")
})

test("a name that would leave its quotes stays in them", () => {
  const name = `'; echo owned; '$(echo owned)\`echo owned\`\u001b[2J\u202e`
  const example = contentExample([form({ [name]: { enum: ["'\n'"] } })])
  const printed = execFileSync("bash", ["--norc", "-c", `printf %s ${example.replace("--content ", "")}`], { encoding: "utf8" })
  expect(JSON.parse(printed)).toEqual({ [name]: "'\n'" })
  // oxlint-disable-next-line no-control-regex -- control characters must not be there
  expect(example + fieldLines(formFields(form({ [name]: { description: name } }))).join("")).not.toMatch(/[\u0000-\u001f\u202e]/)
})
