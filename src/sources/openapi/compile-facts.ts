// States the facts of one tool: what it is called, what it does, and how carefully it must be handled.
import type { ToolName } from "../../core/address.ts"
import type { Limits } from "../../core/limits.ts"
import type { Effect, ToolFacts } from "../../core/tool.ts"
import type { Operation } from "./compile-operations.ts"
import { boundedText, own } from "./document-value.ts"

const titleCharsMax = 80

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY", "TRACE"])
const allowedMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

export function toolFacts(operation: Operation, name: ToolName, limits: Limits): ToolFacts {
  const { method, path, value } = operation
  const summary = boundedText(own(value, "summary"), limits.descriptionCharsMax)
  const request = `${method} ${path}`
  const requiresApproval = !allowedMethods.has(method)
  return {
    name,
    title: boundedText(titleOf(summary, name), limits.nameCharsMax),
    summary,
    description:
      boundedText(own(value, "description"), limits.descriptionCharsMax) || summary || boundedText(request, limits.descriptionCharsMax),
    effect: effectOf(method),
    requiresApproval,
    approvalDescription: requiresApproval ? boundedText(request, limits.descriptionCharsMax) : null,
    mayElicit: false,
    deprecated: own(value, "deprecated") === true,
    tags: operation.tags.map((tag) => boundedText(tag, limits.nameCharsMax)),
  }
}

const effectOf = (method: string): Effect => (readMethods.has(method) ? "read" : method === "DELETE" ? "destroy" : "write")

/** The author's own words where they are short, otherwise those of the name. */
function titleOf(summary: string, name: string): string {
  if (summary !== "" && summary.length <= titleCharsMax && !summary.includes("\n")) return summary.replace(/\.$/, "")
  const words = (name.split(".").at(-1) ?? name)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1).toLowerCase()}`
}
