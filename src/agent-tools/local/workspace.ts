// Confines local tools to a folder: which real place a path of a model means, and whether it is inside.
//
// Links are followed one by one, and each has to stay inside. What is found is a real path, without links; `held-folder.ts`
// opens it without following any, so that a link swapped in between leads nowhere.
import type { BigIntStats } from "node:fs"
import { lstatSync, realpathSync, statSync } from "node:fs"
import { lstat, realpath } from "node:fs/promises"
import { isAbsolute, join, relative, resolve, sep } from "node:path"
import { safeLine } from "../../core/text/safe.ts"
import { FunctionCallError } from "../function-call-error.ts"

export type Workspace = {
  /** The real path of the folder. */
  readonly root: string
  /** The folder as it was named, which models may have been told. */
  readonly named: string
  /** Real paths of files and folders that do not exist for the tools, such as a data directory with keys in it. */
  readonly hidden: readonly string[]
}

/** Where a path leads. */
export type Place = {
  /** Without links. What does not exist yet follows the real path of the last folder that does. */
  readonly path: string
  /** For texts: relative to the workspace. */
  readonly shown: string
  /** `null` if nothing is there. */
  readonly stats: BigIntStats | null
  /** Whether the path itself is a link, and what is meant has another name. */
  readonly isLink: boolean
}

/** Git runs hooks, and agents read instructions, from these folders outside of any sandbox. Tools read them, but never write to them. */
export const readOnlyNames: readonly string[] = [".git", ".agents", ".codex"]

const pathCharsMax = 4096

export function openWorkspace(folder: string, hidden: readonly string[] = []): Workspace {
  const named = resolve(folder)
  if (!statSync(named, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`The workspace '${named}' is not a folder. Name one that exists.`)
  }
  return { root: realpathSync(named), named, hidden: hidden.map(realPathIfThere) }
}

const realPathIfThere = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Finds the place that a path means, or refuses it. */
export async function locate(workspace: Workspace, path: string): Promise<Place> {
  const segments = lexicalSegments(workspace, path)
  let current = workspace.root
  let stats = await statsOf(current)
  let isLink = false
  if (stats === null) throw refused(path, "the workspace is gone")
  for (const [index, segment] of segments.entries()) {
    if (!stats.isDirectory()) throw refused(path, `'${shownPath(workspace, current)}' is a file, so nothing can be in it`)
    const next = join(current, segment)
    const found = await statsOf(next)
    if (found === null) return place(workspace, path, join(next, ...segments.slice(index + 1)), null, false)
    isLink = found.isSymbolicLink()
    current = isLink ? await linkTarget(workspace, path, next) : next
    stats = isLink ? await lstat(current, { bigint: true }) : found
  }
  return place(workspace, path, current, stats, isLink)
}

/** The real path of a folder in the workspace, for a command to start in. */
export async function locateFolder(workspace: Workspace, path: string): Promise<string> {
  const { path: real, stats } = await locate(workspace, path)
  if (stats === null) throw refused(path, "there is no such folder")
  if (!stats.isDirectory()) throw refused(path, "it is not a folder")
  return real
}

/** Of the names that tools may only read, those that are there and no links. */
export const readOnlyPaths = ({ root }: Workspace): readonly string[] =>
  readOnlyNames.map((name) => join(root, name)).filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false)

/** Refuses a place that tools may only read. */
export function requireWritable(workspace: Workspace, { path, shown }: Place): void {
  const name = relative(workspace.root, path)
    .split(sep)
    .find((segment) => readOnlyNames.includes(segment.toLowerCase()))
  if (name !== undefined) throw refused(shown, `files in '${name}' are read-only for tools`)
}

export const refused = (path: string, reason: string): FunctionCallError =>
  FunctionCallError.respondToModel(`cannot use '${shortened(path)}': ${reason}`)

/** How a real path inside is shown to models. */
export function shownPath(workspace: Workspace, path: string): string {
  const inner = relative(workspace.root, path).replaceAll(sep, "/")
  return inner === "" ? "." : safeLine(inner)
}

export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)

/** The way from the root to what the path says, before any link is followed. Nothing outside is touched, not even to see whether it exists. */
function lexicalSegments(workspace: Workspace, path: string): readonly string[] {
  if (path === "") throw FunctionCallError.respondToModel("the path must not be empty")
  if (path.length > pathCharsMax) throw refused(path, `a path has at most ${pathCharsMax} characters`)
  if (path.includes("\0")) throw refused(path, "a path cannot contain a NUL character")
  const absolute = resolve(workspace.root, path)
  const base = [workspace.root, workspace.named].find((folder) => isWithin(folder, absolute))
  if (base === undefined) throw refused(path, outsideText(workspace))
  const inner = relative(base, absolute)
  if (isAbsolute(inner)) throw refused(path, outsideText(workspace))
  return inner === "" ? [] : inner.split(sep)
}

async function linkTarget(workspace: Workspace, path: string, link: string): Promise<string> {
  const shown = shownPath(workspace, link)
  const target = await realpath(link).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw refused(path, `the link '${shown}' leads to nothing`)
    if (error.code === "ELOOP") throw refused(path, `the link '${shown}' leads to itself`)
    throw fileProblem(path, error)
  })
  if (isWithin(workspace.root, target)) return target
  throw refused(path, `the link '${shown}' leads out of it; ${outsideText(workspace)}`)
}

function place(workspace: Workspace, path: string, real: string, stats: BigIntStats | null, isLink: boolean): Place {
  if (workspace.hidden.some((hidden) => isWithin(hidden, real))) throw refused(path, "it is not available to tools")
  return { path: real, shown: shownPath(workspace, real), stats, isLink }
}

async function statsOf(path: string): Promise<BigIntStats | null> {
  return lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw fileProblem(path, error)
  })
}

/** What went wrong with a file, in words for the model. */
export function fileProblem(path: string, error: NodeJS.ErrnoException): FunctionCallError {
  const reason = problemTexts[error.code ?? ""] ?? error.code ?? "unknown error"
  return refused(path, reason)
}

const problemTexts: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "the operating system does not permit it",
  ENAMETOOLONG: "a name in it is too long",
  ENOENT: "there is no such file",
  ENOTDIR: "a part of it is a file, not a folder",
  EISDIR: "it is a folder",
  EEXIST: "somebody else has just created it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many files are open; try again",
  EBUSY: "it is in use",
  ELOOP: "it is a link, or was replaced by one; try again",
  ENXIO: "it is not a regular file",
}

const outsideText = ({ named }: Workspace): string => `tools work inside the workspace '${safeLine(named)}' only`

const shortened = (path: string): string => safeLine(path.length > 200 ? `${path.slice(0, 200)}…` : path)
