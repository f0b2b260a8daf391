// Writes what happened to one file in Git's diff format, which `git apply` reads.
import { formatPatch, structuredPatch } from "diff"
import type { StructuredPatch } from "diff"
import { defaultLimits } from "../../core/limits.ts"
import type { TrackedContent, TrackedFile, Version } from "./turn-diff-tracker.ts"

/** Empty if the file is as it was. */
export function diffText({ original, current }: TrackedFile): string {
  const path = original?.path ?? current?.path ?? ""
  const isRename = original !== null && current !== null && original.path !== current.path
  if (!isRename && isSame(original?.content, current?.content)) return ""
  const names = { old: `a/${path}`, new: `b/${current?.path ?? path}` }
  const hunks = hunksOf(original, current)
  const patch: StructuredPatch = {
    isGit: true,
    oldFileName: original === null ? "/dev/null" : names.old,
    newFileName: current === null ? "/dev/null" : names.new,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: hunks ?? [],
    isCreate: original === null,
    isDelete: current === null,
    isRename,
  }
  const note = hunks === null ? `Binary files ${patch.oldFileName} and ${patch.newFileName} differ\n` : ""
  return formatPatch(patch) + note
}

function isSame(one: TrackedContent | undefined, other: TrackedContent | undefined): boolean {
  if (one === undefined || other === undefined) return false
  if (one.type === "text") return other.type === "text" && one.text === other.text
  return other.type === "opaque" && one.id === other.id
}

/** `null` if the contents cannot be shown. */
function hunksOf(original: Version | null, current: Version | null): StructuredPatch["hunks"] | null {
  if (isSame(original?.content, current?.content)) return []
  const before = original === null ? "" : textOf(original)
  const after = current === null ? "" : textOf(current)
  if (before === null || after === null) return null
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context: 3, timeout: defaultLimits.turnDiffMs })
  return patch?.hunks ?? wholeFile(before, after)
}

const textOf = ({ content }: Version): string | null => (content.type === "text" ? content.text : null)

/** Says less than a diff, but nothing wrong, and takes no time. */
function wholeFile(before: string, after: string): StructuredPatch["hunks"] {
  const [removed, added] = [linesOf("-", before), linesOf("+", after)]
  return [{ oldStart: 1, oldLines: removed.count, newStart: 1, newLines: added.count, lines: [...removed.lines, ...added.lines] }]
}

function linesOf(mark: "-" | "+", text: string): { readonly lines: readonly string[]; readonly count: number } {
  const lines = text.split("\n").map((line) => mark + line)
  const count = lines.length
  if (!text.endsWith("\n")) return text === "" ? { lines: [], count: 0 } : { lines: [...lines, "\\ No newline at end of file"], count }
  return { lines: lines.slice(0, -1), count: count - 1 }
}
