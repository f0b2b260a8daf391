// Reads the arguments of the host's own tools.
import { z } from "zod"
import { ExecutorError } from "../../core/errors.ts"
import { answerActions } from "../../core/execution.ts"

export const executeInput = z.strictObject({ code: z.string(), timeoutMs: z.int().min(1).exactOptional() })
export const resumeInput = z.strictObject({
  executionId: z.string().min(1).max(200),
  action: z.enum(answerActions),
  content: z.unknown().exactOptional(),
})
export const searchInput = z.strictObject({ query: z.string(), limit: z.int().min(1).max(100).exactOptional() })
export const readInput = z.strictObject({ path: z.string().min(1).max(400) })

export function readArguments<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue === undefined || issue.path.length === 0 ? "" : `'${issue.path.join(".")}': `
  throw new ExecutorError("invalid_arguments", `Invalid arguments: ${place}${issue?.message ?? "they do not fit the schema"}`)
}
