// Checks how names and prose are cut into words.
import { describe, expect, test } from "vitest"
import { nameWords, proseWords, stemOf } from "./words.ts"

describe("names", () => {
  test.each([
    ["repos.createForAuthenticatedUser", ["repos", "create", "for", "authenticated", "user"]],
    ["list_pull_requests", ["list", "pullrequests"]],
    ["URLList", ["url", "list", "urllist"]],
    ["oauth2Token", ["oauth", "2", "token"]],
    ["getS3Object", ["get", "s3", "object"]],
    ["mutation.issueCreate", ["mutation", "issue", "create", "issuecreate"]],
    ["listPRs", ["list", "prs", "listprs"]],
    ["getURLsOfPage", ["get", "urls", "of", "page"]],
  ])("%s", (name, words) => expect(nameWords(name)).toEqual(words))
})

describe("prose", () => {
  test.each([
    ["Lists GitHub PRs, see https://example.com/a?b=c", ["lists", "github", "prs", "see"]],
    ["Set `maxResults` on YouTube", ["set", "max", "results", "on", "youtube"]],
    ["Café Zürich ｆｕｌｌ", ["cafe", "zurich", "full"]],
    ["天気予報", ["天気", "気予", "予報"]],
    ["погода в Москве", ["погода", "в", "москве"]],
    ["👍🏽 !!! (.*)+", []],
    ["constructor __proto__ toString", ["constructor", "proto", "to", "string"]],
    [`x ${"f".repeat(500)}`, ["x"]],
  ])("%s", (text, words) => expect(proseWords(text)).toEqual(words))
})

test("short and irregular forms share the stem of the whole word", () => {
  const same = [
    ["repo", "repository"],
    ["org", "organizations"],
    ["sent", "sending"],
    ["mail", "emails"],
    ["organisation", "organization"],
  ]
  for (const [form = "", word = ""] of same) expect(stemOf(form)).toBe(stemOf(word))
  expect(stemOf("customer")).not.toBe(stemOf("custom"))
})
