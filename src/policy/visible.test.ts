// Roles show what they name, and nothing else.
import { expect, test } from "vitest"
import type { Role } from "../core/role.ts"
import { roleSubject, visibleTo } from "./visible.ts"

const developer: Role = { id: "developer", name: "Developer", patterns: ["github.**", "linear.issues.*", "slack.channels.list"] }
const reader: Role = { id: "reader", name: "Reader", patterns: ["**.get*"] }

test.each([
  ["github", "repos.get", true],
  ["linear", "issues.create", true],
  ["linear", "issues.comments.create", false],
  ["linear", "projects.list", false],
  ["slack", "channels.list", true],
  ["slack", "channels.listAll", false],
])("a developer sees %s %s: %s", (integration, name, expected) => {
  expect(visibleTo(["developer"], [developer, reader])(roleSubject(integration, name))).toBe(expected)
})

test("several roles add up", () => {
  const isVisible = visibleTo(["developer", "reader"], [developer, reader])
  expect(isVisible("jira.issues.getAll")).toBe(true)
  expect(isVisible("jira.issues.delete")).toBe(false)
})

test("an admin sees everything, without a role that says so", () => {
  expect(visibleTo(["admin"], [])("anything.at.all")).toBe(true)
})

test("without a role, or with one that is gone, nothing is visible", () => {
  expect(visibleTo([], [developer])("github.repos.get")).toBe(false)
  expect(visibleTo(["removed"], [developer])("github.repos.get")).toBe(false)
})
