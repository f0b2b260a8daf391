// Reads what requests want done, in the ways that people put it.
import { expect, test } from "vitest"
import { readRequest } from "./request.ts"

test.each([
  ["list the servers", "read", true],
  ["what servers are there", "read", true],
  ["which server is slow", "read", null],
  ["how many servers do I have", "read", true],
  ["is this branch protected", "read", null],
  ["unpaid invoices", "read", true],
  ["latest release", "read", null],
  ["get a workspace", "read", false],
  ["show me issue 42", "read", false],
  ["new messages", "read", true],
  ["closed issues", "read", true],
  ["could you please show me all orders", "read", true],
  ["billing this month", "read", null],
  ["create a charge", "create", false],
  ["i want to add a user to the team", "create", false],
  ["how do i create an invoice", "create", false],
  ["comment on an issue", "create", false],
  ["commit comments", "read", true],
  ["file a bug", "create", false],
  ["issue a refund", "create", false],
  ["make a new branch", "create", false],
  ["set up a webhook", "create", false],
  ["open a ticket", "create", false],
  ["rename the project", "update", null],
  ["mark task complete", "update", null],
  ["take the label off the issue", "delete", null],
  ["get rid of a draft", "delete", false],
  ["leave a comment", "change", false],
  ["protect the main branch", "change", null],
  ["scale deployment", "update", null],
  ["restart a machine", "change", false],
  ["star a repo", "change", false],
  ["frobnicate the widget", "change", null],
  ["turn the lights on", "change", true],
  ["make a page private", "update", false],
  ["please make the pages public", "update", true],
  ["mark it unread", "update", null],
  ["make a new private page", "create", false],
  ["make a private page", "change", false],
  ["make a draft", "change", false],
  ["set a team secret", "update", false],
  ["archive a page", "change", false],
  ["archive of a page", "change", false],
] as const)("%s", (text, operation, many) => {
  expect(readRequest(text).wanted).toMatchObject({ operation, many })
})

test.each(["calculate the tax", "i am planning a trip to Rome and it rains", "open the file", "star repo", "comment count", "", "..."])(
  "%s leaves it open",
  (text) => {
    const { wanted } = readRequest(text)
    expect(wanted === null || !wanted.said).toBe(true)
  },
)

test.each([
  ["delete the branch protection of a repo", "protection"],
  ["list workspaces", "workspaces"],
  ["status of a commit", "status"],
  ["which calendars do I have", "calendars"],
])("%s is about the %s", (text, thing) => {
  expect(readRequest(text).wanted?.thing).toBe(thing)
})

test("what a thing is made to be, and whom a question asks for, only order what is found", () => {
  const hints = (text: string): string[] => readRequest(text).words.flatMap((entry) => (entry.isHint ? [entry.word] : []))
  expect(hints("make the page private")).toEqual(["private"])
  expect(hints("archive the page")).toEqual(["archive"])
  expect(hints("who has access to the page")).toContain("who")
  expect(readRequest("make the page private").wanted).toMatchObject({ thing: "page" })
})

test("a verb that nobody knows adds no reading", () => {
  for (const text of ["frobnicate the widget", "leave a note", "protect the branch"]) {
    expect(readRequest(text).words.filter((entry) => entry.isHint && ["get", "list"].includes(entry.word))).toEqual([])
  }
})

test("what is removed may be called the undoing of it", () => {
  const related = (text: string, word: string): boolean => readRequest(text).words.some((entry) => entry.related.has(word))
  expect(related("remove my star", "unstar")).toBe(true)
  expect(related("stop following her", "unfollow")).toBe(true)
  expect(related("add a star", "unstar")).toBe(false)
  expect(related("delete a file", "undelet")).toBe(false)
})

test("what is left out does not count", () => {
  const words = readRequest("close the pull request without merging").words.map((entry) => entry.word)
  expect(words).toContain("pullrequest")
  expect(words).not.toContain("merging")
})
