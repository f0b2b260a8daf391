// States the facts of one tool: what it is called, what it does, and how carefully it must be handled.
import type { ToolName } from "../../../core/address.ts"
import type { Limits } from "../../../core/limits.ts"
import { titleOfIdentifier, titleOfText } from "../../../core/text/title-case.ts"
import type { Effect, ToolFacts } from "../../../core/tool.ts"
import type { Operation } from "./operations.ts"
import { boundedText, isObject, own } from "../../document-value.ts"
import { segmentsOf } from "./name-words.ts"
import { pathSegments } from "./name.ts"

const titleCharsMax = 80

export const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY", "TRACE"])
const allowedMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

export function toolFacts(operation: Operation, name: ToolName, limits: Limits): ToolFacts {
  const { method, path, value } = operation
  const { summary, description } = textsOf(operation, limits)
  const request = `${method} ${path}`
  const requiresApproval = !allowedMethods.has(method)
  return {
    name,
    title: boundedText(titleOf(boundedText(own(value, "summary"), limits.descriptionCharsMax), name, operation), limits.nameCharsMax),
    summary,
    description: descriptionOf(summary, description, limits) || boundedText(request, limits.descriptionCharsMax),
    effect: effectOf(method),
    requiresApproval,
    approvalDescription: requiresApproval ? boundedText(request, limits.descriptionCharsMax) : null,
    mayElicit: false,
    deprecated: own(value, "deprecated") === true,
    tags: operation.tags.map((tag) => boundedText(tag, limits.nameCharsMax)),
  }
}

/** What the path says holds for each of its operations that says nothing. */
function textsOf({ value, pathItems }: Operation, limits: Limits): { readonly summary: string; readonly description: string } {
  for (const owner of [value, ...pathItems.map((item) => item.value)]) {
    if (!isObject(owner)) continue
    const summary = boundedText(own(owner, "summary"), limits.descriptionCharsMax)
    const description = boundedText(own(owner, "description"), limits.descriptionCharsMax)
    if (summary !== "" || description !== "") return { summary, description }
  }
  return { summary: "", description: "" }
}

/** The summary as its author wrote it comes first: the title is made of it. */
const descriptionOf = (summary: string, description: string, limits: Limits): string =>
  description.startsWith(summary)
    ? description
    : boundedText([summary, description].filter(Boolean).join("\n\n"), limits.descriptionCharsMax)

const effectOf = (method: string): Effect => (readMethods.has(method) ? "read" : method === "DELETE" ? "destroy" : "write")

/** The author's own words where they are short: a summary, or an operationId that the name shows as it is; otherwise the request's. */
function titleOf(summary: string, name: string, operation: Operation): string {
  if (summary !== "" && summary.length <= titleCharsMax && !summary.includes("\n")) return titleOfText(summary.replace(/\.$/, ""))
  const ownWords = segmentsOf(operation.operationId ?? "").at(-1) ?? ""
  return titleOfIdentifier(ownWords !== "" && `.${name}`.endsWith(`.${ownWords}`) ? ownWords : requestWords(operation))
}

/** `GET /users/{id}/posts` reads "list users posts by id", as words of identifiers. */
function requestWords({ method, path }: Operation): string {
  const segments = pathSegments({ method, path })
  const parameters = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "").filter((words) => /[\p{L}\p{N}]/u.test(words))
  const verb = segments.at(-1) ?? method
  const things = segments.slice(0, -1)
  const words = [verb, ...things].join(" ")
  return parameters.length === 0 ? words : `${words} by ${parameters.join(" and ")}`
}
