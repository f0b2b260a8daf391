// Roles show what they name, and nothing else.
import { expect, test } from "vitest"
import { narrowedReach, reachOf, roleSubject, seesAll, visibleBy } from "./visible.ts"

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
  const own = reachOf([...developer, "jira.**"])
  const both = narrowedReach(own, ["github.issues.*", "jira.**", "notion.**"])
  const subjects = ["github.issues.get", "github.repos.get", "jira.issues.get", "notion.pages.get"]
  expect(subjects.map(both.isVisible)).toEqual([true, false, true, false])
  expect(["github", "jira", "notion", "linear"].map(both.coverage)).toEqual(["some", "all", "none", "none"])
  expect([...(both.integrations ?? [])]).toEqual(["github", "jira"])
})

test("what is not narrowed costs nothing", () => {
  const own = reachOf(developer)
  expect(narrowedReach(own, null)).toBe(own)
  expect(narrowedReach(own, ["*"])).toBe(own)
  expect(narrowedReach(reachOf(["*"]), null).integrations).toBeNull()
  expect(narrowedReach(reachOf(["**.get"]), ["github.**"]).integrations).toEqual(new Set(["github"]))
})
