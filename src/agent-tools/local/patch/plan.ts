// Works out what a patch makes of the files it names, without writing anything.
//
// Its parts take effect one after another on a draft of each file, so that a patch can change a file twice, or delete one
// and add another in its place. What is refused leaves nothing behind.
import { defaultLimits } from "../../../core/limits.ts"
import { FunctionCallError } from "../../function-call-error.ts"
import { readWhole, textOf } from "../file-content.ts"
import { notRegular } from "../held-folder.ts"
import { locate, requireWritable } from "../workspace.ts"
import type { Place, Workspace } from "../workspace.ts"
import { applyHunks } from "./apply-hunks.ts"
import type { Steps } from "./line-search.ts"
import type { FilePatch } from "./parse.ts"

/** A file before the patch and after it. */
export type DraftFile = {
  readonly place: Place
  /** `null` if there was none; its content is `null` if it is too large to change. */
  readonly before: { readonly content: Buffer | null } | null
  /** `null` if there is none. */
  after: { readonly content: Buffer | null } | null
  /** The file that became this one. */
  movedFrom: DraftFile | null
}

export async function planPatch(workspace: Workspace, files: readonly FilePatch[]): Promise<readonly DraftFile[]> {
  const drafts = new Map<string, DraftFile>()
  const steps: Steps = { count: 0 }
  let bytesLeft = defaultLimits.agentPatchBytesMax
  const draftOf = async (path: string): Promise<DraftFile> => {
    const place = await locate(workspace, path)
    requireWritable(workspace, place)
    const known = drafts.get(place.path)
    if (known !== undefined) return known
    const draft = await openDraft(workspace, place, Math.min(bytesLeft, defaultLimits.agentFileBytesMax))
    bytesLeft -= draft.before?.content?.length ?? 0
    drafts.set(place.path, draft)
    return draft
  }
  for (const file of files) {
    const draft = await draftOf(file.path)
    if (file.type === "add") addFile(draft, file.content)
    if (file.type === "delete") deleteFile(draft)
    if (file.type === "update") updateFile(draft, file.movedTo === null ? draft : await draftOf(file.movedTo), file.hunks, steps)
  }
  return [...drafts.values()]
}

async function openDraft(workspace: Workspace, place: Place, bytesMax: number): Promise<DraftFile> {
  const { stats, shown } = place
  if (stats === null) return { place, before: null, after: null, movedFrom: null }
  if (stats.isDirectory()) throw failed(`${shown} is a folder`)
  if (!stats.isFile()) throw notRegular(shown)
  const before = { content: await readWhole(workspace, place, bytesMax) }
  return { place, before, after: before, movedFrom: null }
}

function addFile(draft: DraftFile, content: string): void {
  if (draft.after !== null) {
    throw failed(`Failed to add file ${draft.place.shown}: it exists. Update it, or delete it in the same patch first`)
  }
  draft.after = { content: Buffer.from(content) }
}

function deleteFile(draft: DraftFile): void {
  if (draft.after === null) throw failed(`Failed to delete file ${draft.place.shown}: there is no such file`)
  requireOwnName(draft)
  draft.after = null
}

function updateFile(draft: DraftFile, target: DraftFile, hunks: Extract<FilePatch, { type: "update" }>["hunks"], steps: Steps): void {
  const { shown } = draft.place
  if (draft.after === null) throw failed(`Failed to read file to update ${shown}: there is no such file`)
  const content = hunks.length === 0 ? draft.after.content : changed(draft.after.content, hunks, shown, steps)
  if (target !== draft) {
    requireOwnName(draft)
    if (target.after !== null) {
      throw failed(`Failed to move ${shown} to ${target.place.shown}: that file exists. Delete it in the same patch first`)
    }
    if (content === null) throw tooLarge(shown)
    target.movedFrom = draft
    draft.after = null
  }
  target.after = { content }
}

function changed(content: Buffer | null, hunks: Parameters<typeof applyHunks>[1], shown: string, steps: Steps): Buffer {
  if (content === null) throw tooLarge(shown)
  const after = Buffer.from(applyHunks(textOf(content, shown), hunks, shown, steps))
  if (after.length > defaultLimits.agentFileBytesMax) throw tooLarge(shown)
  return after
}

/** A link would stay behind and lead to nothing. */
function requireOwnName({ place }: DraftFile): void {
  if (place.isLink) throw failed(`a link leads to ${place.shown}: name the file itself to delete or move it`)
}

const tooLarge = (shown: string): FunctionCallError =>
  failed(
    `${shown} is too large: apply_patch changes files of up to ${defaultLimits.agentFileBytesMax} bytes, and ${defaultLimits.agentPatchBytesMax} bytes in one patch`,
  )

const failed = (reason: string): FunctionCallError =>
  FunctionCallError.respondToModel(`apply_patch verification failed: ${reason}.\nNothing was changed.`)
