// Reads the arguments of the host's own tools.
import { z } from "zod"
import { ExecutorError } from "../../../core/errors.ts"
import { answerActions } from "../../../core/execution.ts"
import { issueMessage } from "../../issue-message.ts"

export const executeInput = z.strictObject({ code: z.string(), timeoutMs: z.int().min(1).exactOptional() })
export const resumeInput = z.strictObject({
  executionId: z.string().min(1).max(200),
  action: z.enum(answerActions),
  content: z.unknown().exactOptional(),
})
export const searchInput = z.strictObject({ query: z.string(), limit: z.int().min(1).max(100).exactOptional() })
export const readInput = z.strictObject({
  path: z.string().min(1).max(400),
  definitions: z.array(z.string().max(400)).max(20).exactOptional(),
})

export function readArguments<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue === undefined) throw new ExecutorError("invalid_arguments", "The arguments do not match the schema")
  const unknown = issue.code === "unrecognized_keys" ? issue.keys : []
  const field = [...issue.path, ...unknown.slice(0, 1)].join(".")
  throw new ExecutorError("invalid_arguments", field === "" ? issueMessage(issue) : `'${field}' is wrong: ${issueMessage(issue)}`)
}
