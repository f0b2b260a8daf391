// Reads a whole file of the workspace, up to a limit, as bytes or as text.
import { isUtf8 } from "node:buffer"
import type { FileHandle } from "node:fs/promises"
import { openFile } from "./held-folder.ts"
import { fileProblem, refused } from "./workspace.ts"
import type { Place, Workspace } from "./workspace.ts"

/** `null` if the file is larger than the limit. */
export async function readWhole(workspace: Workspace, place: Place, bytesMax: number): Promise<Buffer | null> {
  if (place.stats !== null && place.stats.isFile() && place.stats.size > bytesMax) return null
  const handle = await openFile(workspace, place)
  try {
    return await readUpTo(handle, bytesMax)
  } catch (error) {
    throw fileProblem(place.shown, error as NodeJS.ErrnoException) // reading an open file fails in the file system alone
  } finally {
    await handle.close()
  }
}

/** The size that a file states is not always what can be read from it. */
async function readUpTo(handle: FileHandle, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(256 * 1024)
    const { bytesRead } = await handle.read(chunk)
    if (bytesRead === 0) return Buffer.concat(chunks)
    bytes += bytesRead
    if (bytes > bytesMax) return null
    chunks.push(chunk.subarray(0, bytesRead))
  }
}

/** Text that is the same bytes again when it is written; anything else would be damaged by a change. */
export function textOf(content: Buffer, shown: string): string {
  if (!isUtf8(content)) throw refused(shown, "it is not UTF-8 text, so that a change would damage it")
  return content.toString("utf8")
}
