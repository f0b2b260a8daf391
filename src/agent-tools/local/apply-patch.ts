// The tool `apply_patch`: changes files by a patch, all of them or none.
import { defaultLimits } from "../../core/limits.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolHandler, ToolInvocation, ToolOutput, ToolPayload, ToolSpec } from "../tool.ts"
import { argumentFields } from "./argument-fields.ts"
import { commitFiles, permissionBits } from "./file-commit.ts"
import type { FileChange } from "./file-commit.ts"
import { patchGrammar } from "./patch/grammar.ts"
import { parsePatch } from "./patch/parse.ts"
import { planPatch } from "./patch/plan.ts"
import type { DraftFile } from "./patch/plan.ts"
import { trackedContent } from "./turn-diff-tracker.ts"
import type { TurnDiffTracker } from "./turn-diff-tracker.ts"
import type { Workspace } from "./workspace.ts"
import { trackedPath } from "./write-file.ts"

const name = "apply_patch"

export const applyPatchFreeformSpec: ToolSpec = {
  type: "freeform",
  name,
  description: "Use the `apply_patch` tool to edit files. This is a FREEFORM tool, so do not wrap the patch in JSON.",
  format: { type: "grammar", syntax: "lark", definition: patchGrammar },
}

/** For models that call functions only. */
export const applyPatchFunctionSpec: ToolSpec = {
  type: "function",
  name,
  description: `Edits files of the workspace by a patch. All of it is applied, or nothing.

*** Begin Patch
*** Add File: notes/new.txt
+Every line of a new file starts with a plus.
*** Update File: src/app.py
*** Move to: src/main.py
@@ def greet():
 context lines start with a space
-removed lines start with a minus
+added lines start with a plus
*** Delete File: obsolete.txt
*** End Patch

Show three lines before and after each change as they are in the file. If they occur more than once, write "@@ " with the class or function above them. "*** Move to:" is optional. "*** End of File" after a change says that it is at the end of the file.`,
  parameters: {
    type: "object",
    properties: { input: { type: "string", description: "The whole patch, from '*** Begin Patch' to '*** End Patch'." } },
    required: ["input"],
    additionalProperties: false,
  },
}

export class ApplyPatchHandler implements ToolHandler {
  readonly kind = "function"
  readonly #workspace: Workspace

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  matchesKind({ type }: ToolPayload): boolean {
    return type === "custom" || type === "function"
  }

  async isMutating(): Promise<boolean> {
    return true
  }

  async handle(invocation: ToolInvocation): Promise<ToolOutput> {
    const { payload, tracker, signal } = invocation
    const input = payload.type === "custom" ? payload.input : argumentFields(invocation).text("input")
    if (Buffer.byteLength(input) > defaultLimits.agentFileBytesMax) {
      throw FunctionCallError.respondToModel(`a patch has at most ${defaultLimits.agentFileBytesMax} bytes; send several`)
    }
    const files = parsePatch(input)
    if (files.length === 0) throw FunctionCallError.respondToModel("No files were modified.")
    const drafts = await planPatch(this.#workspace, files)
    await commitFiles(this.#workspace, drafts.flatMap(changeOf), signal)
    for (const draft of drafts) track(draft, drafts, tracker, this.#workspace)
    return { type: "function", content: summary(drafts), success: true }
  }
}

function changeOf({ place, before, after, movedFrom }: DraftFile): readonly FileChange[] {
  if (before === after || (before === null && after === null)) return []
  if (after === null) return [{ place, content: null }]
  if (after.content === null) throw FunctionCallError.fatal("a file too large to read was changed")
  const mode = movedFrom?.place.stats?.mode
  return [{ place, content: after.content, ...(mode === undefined ? {} : { mode: Number(mode) & permissionBits }) }]
}

const isMove = ({ before, after, movedFrom }: DraftFile): boolean =>
  before === null && after !== null && movedFrom !== null && movedFrom.before !== null && movedFrom.after === null

function track(draft: DraftFile, drafts: readonly DraftFile[], tracker: TurnDiffTracker, workspace: Workspace): void {
  const { place, before, after, movedFrom } = draft
  const path = trackedPath(workspace, place)
  if (isMove(draft) && movedFrom?.before && after !== null) {
    const from = trackedPath(workspace, movedFrom.place)
    tracker.onMove(from, path, trackedContent(movedFrom.before.content), trackedContent(after.content))
    return
  }
  const becameAnother = drafts.some((other) => other.movedFrom === draft && isMove(other))
  if (before === after || becameAnother) return
  if (after !== null) tracker.onWrite(path, before && trackedContent(before.content), trackedContent(after.content))
  else if (before !== null) tracker.onDelete(path, trackedContent(before.content))
}

/** Added, modified and deleted files; a moved one is a modified file at its new place. */
function summary(drafts: readonly DraftFile[]): string {
  const marked = (mark: string, isMeant: (draft: DraftFile) => boolean): string[] =>
    drafts.filter(isMeant).map(({ place }) => `${mark} ${place.shown}\n`)
  const sources = new Set(drafts.filter(isMove).map(({ movedFrom }) => movedFrom))
  const lines = [
    ...marked("A", (draft) => draft.before === null && draft.after !== null && !isMove(draft)),
    ...marked("M", (draft) => (draft.before !== null && draft.after !== null) || isMove(draft)),
    ...marked("D", (draft) => draft.before !== null && draft.after === null && !sources.has(draft)),
  ]
  return lines.length === 0 ? "No files were modified." : `Success. Updated the following files:\n${lines.join("")}`
}
