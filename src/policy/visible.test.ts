// Roles show what they name, and nothing else.
import { expect, test } from "vitest"
import { roleSubject, seesAll, visibleBy, visibleByBoth } from "./visible.ts"

const developer = ["github.**", "linear.issues.*", "slack.channels.list"]

test.each([
  ["github", "repos.get", true],
  ["linear", "issues.create", true],
  ["linear", "issues.comments.create", false],
  ["linear", "projects.list", false],
  ["slack", "channels.list", true],
  ["slack", "channels.listAll", false],
])("a developer sees %s %s: %s", (integration, name, expected) => {
  expect(visibleBy(developer)(roleSubject(integration, name))).toBe(expected)
})

test("several roles add up", () => {
  const isVisible = visibleBy([...developer, "**.get*"])
  expect(isVisible("jira.issues.getAll")).toBe(true)
  expect(isVisible("jira.issues.delete")).toBe(false)
})

test.each(["*", "**"])("%s sees everything, without being asked", (pattern) => {
  expect(visibleBy(["github.**", pattern])).toBe(seesAll)
})

test("without a pattern nothing is visible", () => {
  expect(visibleBy([])("github.repos.get")).toBe(false)
})

test("a narrowed token sees what its user sees as well", () => {
  const both = visibleByBoth(visibleBy(developer), visibleBy(["github.issues.*", "jira.**"]))
  expect(["github.issues.get", "github.repos.get", "jira.issues.get"].map(both)).toEqual([true, false, false])
  expect(visibleByBoth(seesAll, both)).toBe(both)
  expect(visibleByBoth(both, seesAll)).toBe(both)
})
