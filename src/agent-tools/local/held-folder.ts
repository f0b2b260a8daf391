// Opens a folder of the workspace without following a link, so that the files in it can be reached through the open folder.
//
// Where the kernel shows open files in /proc (Linux), every step is made from the folder opened before it, which nobody can
// exchange any more: a link swapped into the path after it was checked makes the step fail. Elsewhere the real path is
// compared once more after the folder was opened.
import { existsSync } from "node:fs"
import { constants, mkdir, open, realpath } from "node:fs/promises"
import type { FileHandle } from "node:fs/promises"
import { dirname, basename, join, relative, sep } from "node:path"
import { fileProblem, refused, shownPath } from "./workspace.ts"
import type { Place, Workspace } from "./workspace.ts"

export type HeldFolder = {
  /** A path that means `name` in the held folder, whatever happens to the folder's own path. */
  at(name: string): string
  close(): Promise<void>
}

/** Undefined where the system has no such flag. */
const noFollow = constants.O_NOFOLLOW ?? 0
const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | noFollow
/** A pipe without a writer would otherwise keep the call waiting. */
const readFlags = constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0)

const openFiles = "/proc/self/fd"
const reachesThroughHandles = existsSync(openFiles)

/** `created` collects the folders that had to be made. Without it, a missing folder is an error. */
export async function holdFolder(workspace: Workspace, path: string, created?: string[]): Promise<HeldFolder> {
  const segments = relative(workspace.root, path)
    .split(sep)
    .filter((segment) => segment !== "")
  let handle = await open(workspace.root, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0))
  let reached = workspace.root
  try {
    for (const segment of segments) {
      const next = reachesThroughHandles ? `${openFiles}/${handle.fd}/${segment}` : join(reached, segment)
      reached = join(reached, segment)
      if (created !== undefined && (await isMade(next))) created.push(reached)
      const parent = handle
      handle = await open(next, folderFlags)
      await parent.close()
    }
    await requireUnchanged(reached)
  } catch (error) {
    await handle.close()
    throw (error as NodeJS.ErrnoException).code === undefined ? error : notHeld(shownPath(workspace, reached), error)
  }
  return {
    at: (name) => (reachesThroughHandles ? `${openFiles}/${handle.fd}/${name}` : join(reached, name)),
    close: () => handle.close(),
  }
}

/** Opens a regular file for reading; devices, pipes and sockets are refused without waiting for them. */
export async function openFile(workspace: Workspace, { path, shown, stats }: Place): Promise<FileHandle> {
  if (stats === null) throw refused(shown, "there is no such file")
  if (stats.isDirectory()) throw refused(shown, "it is a folder; name a file in it")
  if (!stats.isFile()) throw notRegular(shown)
  const folder = await holdFolder(workspace, dirname(path))
  try {
    const handle = await open(folder.at(basename(path)), readFlags)
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
    throw notRegular(shown)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : fileProblem(shown, error as NodeJS.ErrnoException)
  } finally {
    await folder.close()
  }
}

export const notRegular = (shown: string): Error => refused(shown, "it is not a regular file, but a device, a pipe or a socket")

async function isMade(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

async function requireUnchanged(path: string): Promise<void> {
  if (!reachesThroughHandles && (await realpath(path)) !== path) throw refused(path, "it was replaced by a link; try again")
}

function notHeld(shown: string, error: unknown): Error {
  const problem = error as NodeJS.ErrnoException // only errors of the file system have a code here
  if (problem.code === "ENOTDIR") return refused(shown, "it is a file, or was replaced by a link")
  return fileProblem(shown, problem)
}
