// Log lines for people: what stands on a terminal, and what a stranger's text cannot do there.
import { expect, test } from "vitest"
import { logText } from "./log-text.ts"

const line = (fields: object): string => JSON.stringify({ level: "warn", time: "2026-01-02T03:04:05.000Z", ...fields })

test("a line has the time, the level, the message and the fields", () => {
  expect(logText(line({ slug: "shop", tools: 5, msg: "Listed" }))).toMatch(/^\d\d:\d\d:05 warn {2}Listed slug=shop tools=5\n$/)
})

test("an error is its message", () => {
  const text = logText(line({ error: { type: "Error", message: "no route", stack: "Error: no route\n  at x" }, msg: "Failed" }))
  expect(text).toContain('Failed error="no route"')
  expect(text).not.toContain("at x")
})

test("control characters and direction marks are shown, not obeyed", () => {
  const text = logText(line({ name: "a\u001b[2Jb\u202Ec", msg: "x" }))
  for (const obeyed of ["\u001b", "\u202e"]) expect(text).not.toContain(obeyed)
  expect(text).toContain("\\u{202e}")
})
