// Reads what requests want done, in the ways that people put it.
import { expect, test } from "vitest"
import { readRequest } from "./request.ts"

test.each([
  ["list the servers", "read"],
  ["what servers are there", "read"],
  ["which server is slow", "read"],
  ["how many servers do I have", "read"],
  ["is this branch protected", "read"],
  ["unpaid invoices", "read"],
  ["latest release", "read"],
  ["get a workspace", "read"],
  ["show me issue 42", "read"],
  ["new messages", "read"],
  ["closed issues", "read"],
  ["could you please show me all orders", "read"],
  ["billing this month", "read"],
  ["create a charge", "create"],
  ["i want to add a user to the team", "create"],
  ["how do i create an invoice", "create"],
  ["comment on an issue", "create"],
  ["commit comments", "read"],
  ["file a bug", "create"],
  ["issue a refund", "create"],
  ["make a new branch", "create"],
  ["set up a webhook", "create"],
  ["open a ticket", "create"],
  ["rename the project", "update"],
  ["mark task complete", "update"],
  ["take the label off the issue", "delete"],
  ["get rid of a draft", "delete"],
  ["leave a comment", "change"],
  ["protect the main branch", "change"],
  ["scale deployment", "update"],
  ["restart a machine", "change"],
  ["star a repo", "change"],
  ["frobnicate the widget", "change"],
  ["turn the lights on", "change"],
  ["make a page private", "update"],
  ["please make the pages public", "update"],
  ["mark it unread", "update"],
  ["make a new private page", "create"],
  ["make a private page", "change"],
  ["make a draft", "change"],
  ["set a team secret", "update"],
  ["archive a page", "change"],
  ["archive of a page", "change"],
] as const)("%s", (text, operation) => {
  expect(readRequest(text).wanted).toMatchObject({ operation })
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
  ["please make the page private", "page"],
])("%s is about the %s", (text, thing) => {
  expect(readRequest(text).wanted?.thing).toBe(thing)
})

test("the update behind a mark, and whom a question asks for, only order what is found", () => {
  const hints = (text: string): string[] => readRequest(text).words.flatMap((entry) => (entry.isHint ? [entry.word] : []))
  expect(hints("archive the page")).toEqual(["update"])
  expect(hints("who has access to the page")).toContain("who")
})

test("a verb that nobody knows adds no reading", () => {
  for (const text of ["frobnicate the widget", "leave a note", "protect the branch"]) {
    expect(readRequest(text).words.filter((entry) => entry.isHint && ["get", "list"].includes(entry.word))).toEqual([])
  }
})

test("a verb and its particle, and what is undone or not done, may be one word", () => {
  const forms = (text: string): string[] => readRequest(text).words.flatMap(({ form }) => (form === "" ? [] : [form]))
  expect(forms("check out a branch")).toEqual(["checkout"])
  expect(forms("roll the release back")).toContain("rollback")
  expect(forms("remove my star")).toContain("unstar")
  expect(forms("stop following her")).toContain("unfollow")
  expect(forms("files that aren't staged")).toEqual(["unstag"])
  expect(forms("add a star to the list")).toEqual([])
})

test("what is left out does not count", () => {
  const words = readRequest("close the pull request without merging").words.map((entry) => entry.word)
  expect(words).toContain("pullrequest")
  expect(words).not.toContain("merging")
})
