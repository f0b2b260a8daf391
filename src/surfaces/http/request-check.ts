// Checks a part of a request against its schema, with a message that names the field.
import type { z } from "zod"
import { ExecutorError } from "../../core/errors.ts"

export type RequestPart = "path" | "query" | "body"

const partNames: Record<RequestPart, string> = { path: "path parameter", query: "query parameter", body: "field" }
const issuesMax = 20
const textCharsMax = 300

export function check<Schema extends z.ZodType>(schema: Schema, value: unknown, part: RequestPart): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, issuesMax).map((issue) => ({ path: pathOf(issue), message: messageOf(issue) }))
  throw new ExecutorError("invalid_request", summary(issues[0], part), { in: part, issues })
}

type Issue = { readonly path: string; readonly message: string }

function summary(issue: Issue | undefined, part: RequestPart): string {
  if (issue === undefined || issue.path === "") return `The ${part} is wrong: ${issue?.message ?? "it does not fit the schema"}`
  return `The ${partNames[part]} '${issue.path}' is wrong: ${issue.message}`
}

/** An unknown key is reported where it stands, and a required one as missing. */
function pathOf(issue: z.core.$ZodIssue): string {
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path
  return path.map(String).join(".").slice(0, textCharsMax)
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return "it is not known here"
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) return `it is required (${issue.expected})`
  return (issue.message.charAt(0).toLowerCase() + issue.message.slice(1)).slice(0, textCharsMax)
}
