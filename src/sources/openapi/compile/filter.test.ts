// Which operations a config selects.
import { describe, expect, it } from "vitest"
import { createSelection, matchesTool } from "./filter.ts"

const tool = {
  name: "issues.comments.create",
  path: "/repos/{owner}/{repo}/issues/{id}/comments",
  operationId: "talk/post-comment.v2",
  tags: ["issues", "a/b"],
}

describe("a pattern", () => {
  it.each([
    ["*", true],
    ["**", true],
    ["issues.comments.create", true],
    ["issues.*", false],
    ["issues.*.create", true],
    ["issues.**", true],
    ["**.create", true],
    ["issues.comm*.cr*te", true],
    ["issues.comments.create.**", true],
    ["comments.create", false],
    ["tag:issues", true],
    ["tag:iss*", true],
    ["tag:a/b", true],
    ["tag:other", false],
    ["issues", true],
    ["a/b", true],
    ["iss*", false],
    ["talk/post-comment.v2", true],
    ["talk/*.v2", true],
    ["talk/**", true],
    ["talk/post-*", false],
    ["talk*", false],
    ["post-comment.v2", false],
    ["/repos/**", true],
    ["/repos/*/*/issues/*/comments", true],
    ["/repos/*/issues/**", false],
    ["/**/comments", true],
    ["/repos/{owner}/**", true],
    ["", false],
  ])("%s: %s", (pattern, expected) => {
    expect(matchesTool(pattern, tool)).toBe(expected)
  })

  it.each([
    ["getA", true],
    ["get*", true],
    ["geta", false],
    ["set*", false],
  ])("%s finds the operationId getA: %s", (pattern, expected) => {
    expect(matchesTool(pattern, { name: "things.getA", path: "/a", operationId: "getA", tags: ["things"] })).toBe(expected)
    expect(matchesTool(pattern, { name: "a.list", path: "/a", operationId: null, tags: [] })).toBe(false)
  })

  it("with many stars is decided quickly", () => {
    const long = { ...tool, name: "a".repeat(5_000), path: `/${"a/".repeat(2_000)}` }
    expect(matchesTool(`${"a*".repeat(1_000)}b`, long)).toBe(false)
    expect(matchesTool(`${"/**".repeat(200)}/b`, long)).toBe(false)
  })
})

describe("a selection", () => {
  it("excludes after it includes, and tells which patterns were of no use", () => {
    const selection = createSelection(["tag:issues", "nothing.*"], ["/admin/**", "*.comments.*", "talk/none"])
    expect(selection.isSelected(tool)).toBe(false)
    expect(selection.isSelected({ ...tool, name: "issues.get" })).toBe(true)
    expect(selection.isSelected({ ...tool, name: "issues.get", tags: [] })).toBe(false)
    expect(selection.unused()).toEqual(["nothing.*", "/admin/**", "talk/none"])
  })
})
