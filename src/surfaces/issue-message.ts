// Explains in plain words why a value is invalid, where a schema speaks of inclusive minimums and received types.
import type { z } from "zod"

type Issue = z.core.$ZodIssue
type SizeIssue = Extract<Issue, { code: "too_small" | "too_big" }>

const textCharsMax = 300

/** Goes on from `The field 'limit' is wrong: `. */
export const issueMessage = (issue: Issue): string => wordsFor(issue).slice(0, textCharsMax)

function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return "it is not a known field"
    case "invalid_type":
      return issue.message.endsWith("received undefined")
        ? `it is required (${nounOf(issue.expected)})`
        : `it must be ${withArticle(nounOf(issue.expected))}`
    case "too_small":
      return sizeMessage(issue, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least")
    case "too_big":
      return sizeMessage(issue, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most")
    case "invalid_value":
      return `it must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`
    case "invalid_union":
      return unionMessage(issue.errors.flat(), issue.message)
    case "invalid_format":
    case "invalid_key":
    case "invalid_element":
    case "not_multiple_of":
    case "custom":
      return lowerFirst(issue.message)
  }
}

function sizeMessage({ origin }: SizeIssue, bound: number, relation: string): string {
  if (relation === "at least" && bound === 1 && origin === "string") return "it must not be empty"
  const unit = units[origin]
  return unit === undefined ? `it must be ${relation} ${bound}` : `it must have ${relation} ${bound} ${unit}${bound === 1 ? "" : "s"}`
}

/** Of what is counted; numbers are compared instead. */
const units: Readonly<Record<string, string | undefined>> = { string: "character", array: "item", set: "item", map: "entry", file: "byte" }

/** Where only types differ, they are what the reader needs. */
function unionMessage(branches: readonly Issue[], otherwise: string): string {
  const nouns = branches.map((branch) => (branch.code === "invalid_type" && branch.path.length === 0 ? nounOf(branch.expected) : null))
  const known = [...new Set(nouns)].filter((noun) => noun !== null)
  if (known.length === 0) return lowerFirst(otherwise)
  if (nouns.includes(null)) return "it does not match any of the accepted forms"
  return `it must be ${known.map(withArticle).join(" or ")}`
}

const nouns: Readonly<Record<string, string | undefined>> = { int: "whole number", record: "object" }
const nounOf = (type: string): string => nouns[type] ?? type

const withArticle = (noun: string): string => (noun === "null" ? noun : `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`)

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
