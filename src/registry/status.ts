// The steps between the statuses of a tool, with the way to go where one is refused.
import { ExecutorError } from "../core/errors.ts"
import { toolStatuses } from "../core/registry/tool.ts"
import type { ToolStatus } from "../core/registry/tool.ts"
import type { RegistryToolRow } from "../store/registry-store.ts"

export function checkStatus(text: string): ToolStatus {
  const found = toolStatuses.find((status) => status === text)
  if (found !== undefined) return found
  throw refusal(`status: ${JSON.stringify(text.slice(0, 40))} is not one of ${toolStatuses.join(", ")}`)
}

type Tool = Pick<RegistryToolRow, "id" | "status" | "publishedAt">

/** By PUT, which never publishes. */
export function checkStep(tool: Tool, to: ToolStatus): void {
  const { id, status: from, publishedAt } = tool
  if (from === to) return
  if (to === "published") throw refusal(`A tool is published with POST /tools/${id}/publish, which checks it and writes a version`)
  switch (from) {
    case "draft":
      if (to === "disabled" && publishedAt !== null) return
      throw refusal(
        to === "deprecated"
          ? `A draft cannot be deprecated, because nobody uses it: publish it first with POST /tools/${id}/publish`
          : `A draft cannot be disabled, because nobody uses it: remove it with DELETE /tools/${id}`,
      )
    case "published":
      if (to !== "draft") return
      throw refusal(
        "A published tool does not become a draft: edits wait in its working copy until it is published again. To take it out of production set its status to disabled",
      )
    case "deprecated":
      if (to === "disabled") return
      throw refusal("A deprecated tool does not become a draft: set its status to disabled first, then to draft")
    case "disabled":
      if (to === "draft") return
      throw refusal(
        `A disabled tool cannot be deprecated: set its status to draft, publish it with POST /tools/${id}/publish, then deprecate it`,
      )
  }
}

/** By publish and rollback. */
export function checkPublishable({ id, status }: Pick<RegistryToolRow, "id" | "status">): void {
  if (status === "deprecated")
    throw new ExecutorError(
      "conflict",
      "A deprecated tool is not published again: set its status to disabled, then to draft, and publish it; or make another tool and name it in replacedBy",
    )
  if (status === "disabled")
    throw new ExecutorError("conflict", `A disabled tool is not published: set its status to draft with PUT /tools/${id} first`)
}

const refusal = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
