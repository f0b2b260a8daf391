// Explains in one sentence why a source's config is invalid.
import type { z } from "zod"

/** `known`: the fields there are, as the sentence goes on to name them. */
export function describeIssue(issue: z.core.$ZodIssue | undefined, known: string): string {
  if (!issue) return "config is not valid"
  const field = ["config", ...issue.path.map(String)].join(".")
  if (issue.code === "unrecognized_keys") return `${field} has no field '${issue.keys.join("', '")}'; ${known}`
  if (issue.code !== "invalid_key") return `${field}: ${issue.message}`
  const owner = ["config", ...issue.path.slice(0, -1).map(String)].join(".")
  return `${owner}: '${String(issue.path.at(-1))}' ${issue.issues[0]?.message ?? "is not a name"}`
}
