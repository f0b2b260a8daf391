// The tool `write_file`: creates a file, or replaces the whole content of one.
import { relative, sep } from "node:path"
import { defaultLimits } from "../../core/limits.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolHandler, ToolInvocation, ToolOutput, ToolSpec } from "../tool.ts"
import { argumentFields } from "./argument-fields.ts"
import { commitFiles } from "./file-commit.ts"
import { readWhole } from "./file-content.ts"
import { trackedContent } from "./turn-diff-tracker.ts"
import { locate } from "./workspace.ts"
import type { Place, Workspace } from "./workspace.ts"

export const writeFileSpec: ToolSpec = {
  type: "function",
  name: "write_file",
  description:
    "Writes a file of the workspace. It replaces the whole content if the file exists, and creates missing folders. To change parts of a file, apply_patch is better.",
  parameters: {
    type: "object",
    properties: {
      file_path: { type: "string", description: "The path of the file: absolute, or relative to the workspace." },
      content: { type: "string", description: "The whole content of the file." },
    },
    required: ["file_path", "content"],
    additionalProperties: false,
  },
}

export class FileWriteHandler implements ToolHandler {
  readonly kind = "function"
  readonly #workspace: Workspace

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  async isMutating(): Promise<boolean> {
    return true
  }

  async handle(invocation: ToolInvocation): Promise<ToolOutput> {
    const fields = argumentFields(invocation)
    const path = fields.text("file_path")
    const content = Buffer.from(fields.text("content"))
    if (content.length > defaultLimits.agentFileBytesMax) {
      throw FunctionCallError.respondToModel(
        `content has ${content.length} bytes; write_file writes at most ${defaultLimits.agentFileBytesMax}`,
      )
    }
    const place = await locate(this.#workspace, path)
    const before = place.stats?.isFile()
      ? trackedContent(await readWhole(this.#workspace, place, defaultLimits.turnDiffFileBytesMax))
      : null
    await commitFiles(this.#workspace, [{ place, content }], invocation.signal)
    invocation.tracker.onWrite(trackedPath(this.#workspace, place), before, trackedContent(content))
    const mark = place.stats === null ? "A" : "M"
    return { type: "function", content: `Success. Updated the following files:\n${mark} ${place.shown}\n`, success: true }
  }
}

/** How the diff of a turn names a file. */
export const trackedPath = (workspace: Workspace, { path }: Place): string => relative(workspace.root, path).replaceAll(sep, "/")
