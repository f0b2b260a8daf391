// Knows what a turn changed in the workspace: its net unified diff.
//
// The tools that write files report what they replaced and by what, so that nothing is read again. A file that was changed
// twice has one diff; one that was changed back has none. Commands can change files without a report: after one,
// `isComplete` is false, and the diff is what the other tools did.
import { createHash, randomUUID } from "node:crypto"
import { isUtf8 } from "node:buffer"
import { defaultLimits } from "../../core/limits.ts"
import { diffText } from "./turn-diff-text.ts"

/** What is remembered of a file's content. */
export type TrackedContent =
  | { readonly type: "text"; readonly text: string }
  /** Binary or large. Two with one id are the same. */
  | { readonly type: "opaque"; readonly id: string }

/** A file at the beginning of the turn and now; `null` where there was or is none. */
export type TrackedFile = { readonly original: Version | null; readonly current: Version | null }
export type Version = { /** Relative to the workspace, with slashes. */ readonly path: string; readonly content: TrackedContent }

/** Bytes of `null` are those of a file too large to read. */
export function trackedContent(bytes: Buffer | null): TrackedContent {
  if (bytes === null) return { type: "opaque", id: randomUUID() }
  const isText = bytes.length <= defaultLimits.turnDiffFileBytesMax && !bytes.includes(0) && isUtf8(bytes)
  return isText ? { type: "text", text: bytes.toString("utf8") } : { type: "opaque", id: createHash("sha256").update(bytes).digest("hex") }
}

export class TurnDiffTracker {
  #files: TrackedFile[] = []
  #heldBytes = 0
  #isComplete = true

  /** Whether the diff is all that happened, as far as the tools know. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** A command ran, which may have changed anything. */
  onUnknownChange(): void {
    this.#isComplete = false
  }

  /** `before` is `null` for a new file. */
  onWrite(path: string, before: TrackedContent | null, after: TrackedContent): void {
    const current = { path, content: this.#bounded(after) }
    const known = this.#files.find((file) => file.current?.path === path) ?? this.#deleted(path)
    this.#replace(known, { original: known === undefined ? this.#version(path, before) : known.original, current })
  }

  onDelete(path: string, before: TrackedContent): void {
    const known = this.#files.find((file) => file.current?.path === path)
    this.#replace(known, { original: known === undefined ? this.#version(path, before) : known.original, current: null })
  }

  onMove(from: string, to: string, before: TrackedContent, after: TrackedContent): void {
    // What takes the place of a deleted file is a change of that file.
    if (this.#deleted(to) !== undefined) {
      this.onDelete(from, before)
      this.onWrite(to, null, after)
      return
    }
    const known = this.#files.find((file) => file.current?.path === from)
    const original = known === undefined ? this.#version(from, before) : known.original
    this.#replace(known, { original, current: { path: to, content: this.#bounded(after) } })
  }

  /** In Git's format, the files in the order in which they were first changed; `null` if nothing differs. */
  unifiedDiff(): string | null {
    const text = this.#files.map(diffText).join("")
    return text === "" ? null : text
  }

  #deleted(path: string): TrackedFile | undefined {
    return this.#files.find((file) => file.current === null && file.original?.path === path)
  }

  #replace(known: TrackedFile | undefined, file: TrackedFile): void {
    const files = known === undefined ? [...this.#files, file] : this.#files.map((other) => (other === known ? file : other))
    this.#files = files.filter(({ original, current }) => original !== null || current !== null)
  }

  #version(path: string, content: TrackedContent | null): Version | null {
    return content === null ? null : { path, content: this.#bounded(content) }
  }

  /** Contents beyond the limit are only recognised, not kept. */
  #bounded(content: TrackedContent): TrackedContent {
    if (content.type === "opaque") return content
    const bytes = Buffer.byteLength(content.text)
    if (this.#heldBytes + bytes > defaultLimits.turnDiffBytesMax) {
      return { type: "opaque", id: createHash("sha256").update(content.text).digest("hex") }
    }
    this.#heldBytes += bytes
    return content
  }
}
