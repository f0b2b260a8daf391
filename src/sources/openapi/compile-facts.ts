// States the facts of one tool: what it is called, what it does, and how carefully it must be handled.
import type { ToolName } from "../../core/address.ts"
import type { Limits } from "../../core/limits.ts"
import type { Effect, ToolFacts } from "../../core/tool.ts"
import type { Operation } from "./compile-operations.ts"
import { boundedText, isObject, own } from "./document-value.ts"

const titleCharsMax = 80

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY", "TRACE"])
const allowedMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

export function toolFacts(operation: Operation, name: ToolName, limits: Limits): ToolFacts {
  const { method, path, value } = operation
  const { summary, description } = textsOf(operation, limits)
  const request = `${method} ${path}`
  const requiresApproval = !allowedMethods.has(method)
  return {
    name,
    title: boundedText(titleOf(boundedText(own(value, "summary"), limits.descriptionCharsMax), name), limits.nameCharsMax),
    summary,
    description: description || summary || boundedText(request, limits.descriptionCharsMax),
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

const effectOf = (method: string): Effect => (readMethods.has(method) ? "read" : method === "DELETE" ? "destroy" : "write")

/** The author's own words where they are short, otherwise those of the name. */
function titleOf(summary: string, name: string): string {
  if (summary !== "" && summary.length <= titleCharsMax && !summary.includes("\n")) return summary.replace(/\.$/, "")
  const segments = name.split(".").map(wordsOf)
  const last = segments.at(-1) ?? name
  const words = bareVerbs.has(last) ? `${last} ${segments.at(-2) ?? ""}`.trim() : last
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Names that came from a path end in one of these: `users.list` reads "List users". */
const bareVerbs: ReadonlySet<string> = new Set(["list", "get", "create", "update", "patch", "delete", "head", "options", "query", "trace"])

const wordsOf = (segment: string): string =>
  segment
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim()
    .toLowerCase()
