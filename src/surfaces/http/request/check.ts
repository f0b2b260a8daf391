// Checks a part of a request against its schema, with a message that names the field.
import type { z } from "zod"
import { ExecutorError } from "../../../core/errors.ts"
import { issueMessage } from "../../issue-message.ts"

export type RequestPart = "path" | "query" | "body"

const partNames: Record<RequestPart, string> = { path: "path parameter", query: "query parameter", body: "field" }
const issuesMax = 20
const pathCharsMax = 300

export function check<Schema extends z.ZodType>(schema: Schema, value: unknown, part: RequestPart): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, issuesMax).map((issue) => ({ path: pathOf(issue), message: issueMessage(issue) }))
  throw new ExecutorError("invalid_request", summary(issues[0], part), { in: part, issues })
}

type Issue = { readonly path: string; readonly message: string }

function summary(issue: Issue | undefined, part: RequestPart): string {
  if (issue === undefined || issue.path === "") return `The ${part} is wrong: ${issue?.message ?? "it does not match the schema"}`
  return `The ${partNames[part]} '${issue.path}' is wrong: ${issue.message}`
}

/** An unknown key is reported where it stands. */
function pathOf(issue: z.core.$ZodIssue): string {
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path
  return path.map(String).join(".").slice(0, pathCharsMax)
}
