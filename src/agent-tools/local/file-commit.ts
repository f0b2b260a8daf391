// Writes and deletes files of the workspace: all of them, or none.
//
// 1. Everything new is written beside its target, so that a full disk or a missing permission shows before anything changes.
// 2. Every target is looked at once more: if somebody changed it since it was read, nothing happens.
// 3. What is there keeps a second name, under which it can be put back.
// 4. The new files take their names. A reader sees the old file or the new one, never a part of it.
// 5. If one step fails, those before it are undone.
//
// A process that is killed during step 4 leaves some files new and others old, each of them complete, and files called
// `.executor-….tmp` beside them.
import { randomBytes } from "node:crypto"
import { access, chmod, chown, copyFile, constants, link, lstat, open, rename, rmdir, unlink } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { FunctionCallError } from "../function-call-error.ts"
import { holdFolder, notRegular } from "./held-folder.ts"
import type { HeldFolder } from "./held-folder.ts"
import { fileProblem, refused, requireWritable } from "./workspace.ts"
import type { Place, Workspace } from "./workspace.ts"

export type FileChange = {
  readonly place: Place
  /** `null` deletes the file. */
  readonly content: Buffer | null
  /** Permissions of a new file that replaces one with another name. */
  readonly mode?: number
}

/** Not those that give a program the rights of its owner: the kernel takes them away, too, when somebody writes to a file. */
export const permissionBits = 0o777

type Staged = FileChange & {
  readonly folder: HeldFolder
  readonly name: string
  /** Names that are gone in the end. */
  readonly temporary: string
  readonly backup: string
}

export async function commitFiles(workspace: Workspace, changes: readonly FileChange[], signal: AbortSignal): Promise<void> {
  const folders = new Map<string, HeldFolder>()
  const created: string[] = []
  const staged: Staged[] = []
  const kept = new Set<string>()
  let isDone = false
  try {
    for (const change of changes) staged.push(await stage(workspace, change, folders, created))
    for (const file of staged) await writeTemporary(file)
    for (const file of staged) await requireUnchanged(file)
    for (const file of staged) await keepBackup(file)
    if (signal.aborted) throw FunctionCallError.respondToModel("aborted before anything was changed")
    await swapAll(staged, kept)
    isDone = true
  } finally {
    for (const { folder, temporary, backup } of staged) {
      for (const name of [temporary, backup]) if (!kept.has(name)) await unlink(folder.at(name)).catch(() => undefined)
    }
    for (const folder of folders.values()) await folder.close()
    if (!isDone) await removeFolders(workspace, created)
  }
}

async function stage(workspace: Workspace, change: FileChange, folders: Map<string, HeldFolder>, created: string[]): Promise<Staged> {
  const { place, content } = change
  requireWritable(workspace, place)
  if (place.stats?.isDirectory()) throw refused(place.shown, "it is a folder")
  if (place.stats?.isFile() === false) throw notRegular(place.shown)
  const path = dirname(place.path)
  const folder = folders.get(path) ?? (await holdFolder(workspace, path, content === null ? undefined : created))
  folders.set(path, folder)
  const id = randomBytes(6).toString("hex")
  return { ...change, folder, name: basename(place.path), temporary: `.executor-${id}-new.tmp`, backup: `.executor-${id}-old.tmp` }
}

async function writeTemporary({ place, content, mode, folder, temporary }: Staged): Promise<void> {
  if (content === null) return
  const path = folder.at(temporary)
  const { stats } = place
  try {
    const handle = await open(path, "wx", 0o666)
    try {
      await handle.writeFile(content)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    const kept = mode ?? (stats === null ? undefined : Number(stats.mode) & permissionBits)
    // Only a superuser can give files to others, and nobody else needs to.
    if (stats !== null) await chown(path, Number(stats.uid), Number(stats.gid)).catch(() => undefined)
    if (kept !== undefined) await chmod(path, kept)
  } catch (error) {
    throw fileProblem(place.shown, error as NodeJS.ErrnoException) // all of the above are calls of the file system
  }
}

async function requireUnchanged({ place, folder, name }: Staged): Promise<void> {
  const now = await lstat(folder.at(name), { bigint: true }).catch(() => null)
  const { stats } = place
  if (stats === null && now === null) return
  if (stats === null) throw refused(place.shown, "somebody else has just created it; read it first")
  const isSame = now !== null && now.ino === stats.ino && now.size === stats.size && now.mtimeNs === stats.mtimeNs
  if (!isSame) throw refused(place.shown, "somebody else has just changed it; read it again")
  // A new file can take the name of one that must not be written to; that would be cheating.
  const isWritable =
    (now.mode & 0o222n) !== 0n &&
    (await access(folder.at(name), constants.W_OK).then(
      () => true,
      () => false,
    ))
  if (!isWritable) throw refused(place.shown, "it is read-only")
}

/** A second name costs nothing and needs no space; file systems without them get a copy. */
async function keepBackup({ place, folder, name, backup }: Staged): Promise<void> {
  if (place.stats === null) return
  try {
    await link(folder.at(name), folder.at(backup)).catch(() => copyFile(folder.at(name), folder.at(backup), constants.COPYFILE_EXCL))
  } catch (error) {
    throw fileProblem(place.shown, error as NodeJS.ErrnoException) // both are calls of the file system
  }
}

/** `kept` collects second names that are the only ones left. */
async function swapAll(staged: readonly Staged[], kept: Set<string>): Promise<void> {
  const done: Staged[] = []
  for (const file of staged) {
    try {
      await swap(file)
      done.push(file)
    } catch (error) {
      const lost = await undo(done)
      for (const { backup } of lost) kept.add(backup)
      const problem = fileProblem(file.place.shown, error as NodeJS.ErrnoException) // `swap` only calls the file system
      const stuck = lost.map(({ place, backup }) => `'${place.shown}' (its old content is in '${backup}' beside it)`)
      throw stuck.length === 0
        ? problem
        : FunctionCallError.respondToModel(`${problem.message}. These could not be put back: ${stuck.join(", ")}`)
    }
  }
}

async function swap({ place, content, folder, name, temporary }: Staged): Promise<void> {
  if (content === null) return unlink(folder.at(name))
  if (place.stats !== null) return rename(folder.at(temporary), folder.at(name))
  // Unlike a new name, a link does not replace what somebody created a moment ago.
  await link(folder.at(temporary), folder.at(name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw error
    return rename(folder.at(temporary), folder.at(name))
  })
}

/** The files that it could not put back. */
async function undo(done: readonly Staged[]): Promise<readonly Staged[]> {
  const lost: Staged[] = []
  for (const file of done.toReversed()) {
    const { place, folder, name, backup } = file
    try {
      if (place.stats === null) await unlink(folder.at(name))
      else await rename(folder.at(backup), folder.at(name))
    } catch {
      lost.push(file)
    }
  }
  return lost
}

/** Folders that are not empty stay: somebody else uses them. */
async function removeFolders(workspace: Workspace, created: readonly string[]): Promise<void> {
  for (const path of created.toReversed()) {
    const folder = await holdFolder(workspace, dirname(path)).catch(() => null)
    if (folder === null) continue
    await rmdir(folder.at(basename(path))).catch(() => undefined)
    await folder.close()
  }
}
