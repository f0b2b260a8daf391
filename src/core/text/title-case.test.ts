// Titles in Title Case, of what sources call their tools.
import { expect, it } from "vitest"
import { isTitleCase, titleOfIdentifier, titleOfText } from "./title-case.ts"

it.each([
  ["Create an issue", "Create an Issue"],
  ["list the items of a cart", "List the Items of a Cart"],
  ["Export report as PDF", "Export Report as PDF"],
  ["get the url for an api key", "Get the URL for an API Key"],
  ["Log a user in", "Log a User In"],
  ["Get two-factor codes (backup)", "Get Two-Factor Codes (Backup)"],
  ["Set `max_tokens` of gpt.v4 and/or e.g. eBay", "Set `max_tokens` of gpt.v4 and/or e.g. eBay"],
  ["List A records", "List A Records"],
  ["Über ändern", "Über Ändern"],
  ["取得", "取得"],
  ["Ask the  expert", "Ask the Expert"],
  ["", ""],
])("the sentence %j is titled %j", (sentence, title) => {
  expect(titleOfText(sentence)).toBe(title)
})

it.each([
  ["read_file", "Read File"],
  ["getHTMLPage", "Get HTML Page"],
  ["ns.dotted-name/x", "Ns Dotted Name X"],
  ["createIssueComment", "Create Issue Comment"],
  ["get_pdf_by_id", "Get PDF by ID"],
  ["LIST_USERS", "List Users"],
  ["check_in", "Check In"],
  ["users2list", "Users2list"],
  ["__", ""],
])("the identifier %j is titled %j", (identifier, title) => {
  expect(titleOfIdentifier(identifier)).toBe(title)
  if (title !== "") expect(isTitleCase(title)).toBe(true)
})
