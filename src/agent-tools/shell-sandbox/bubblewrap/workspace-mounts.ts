// What a command finds in its workspace: everything can be written, except what is read-only or hidden.
//
// Something that is mounted cannot be moved, but a folder around it can: the command would get it out of the way, and find
// it uncovered the next time. So those folders are mounted, too.
import { lstatSync } from "node:fs"
import { dirname } from "node:path"
import type { ConfinedCommand } from "../shell-sandbox.ts"
import { isWithin } from "../system-paths.ts"

export function workspaceMounts({
  workspace,
  readOnly,
  hidden,
}: Pick<ConfinedCommand, "workspace" | "readOnly" | "hidden">): readonly string[] {
  const covered = hidden.filter((path) => kindOf(path) !== null)
  const kept = readOnly.filter((path) => kindOf(path) !== null)
  const around = [...new Set([...covered, ...kept].flatMap((path) => foldersAround(path, workspace)))].toSorted(byLength)
  return [
    ["--bind", workspace, workspace],
    around.flatMap((path) => ["--bind", path, path]),
    kept.flatMap((path) => ["--ro-bind", path, path]),
    covered.flatMap((path) => (kindOf(path) === "folder" ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path])),
  ].flat()
}

/** A link is none of ours: it would be followed, and what it leads to would appear inside. */
function kindOf(path: string): "folder" | "file" | null {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.isSymbolicLink()) return null
  return stats.isDirectory() ? "folder" : "file"
}

function foldersAround(path: string, workspace: string): readonly string[] {
  const folder = dirname(path)
  return folder === workspace || !isWithin(workspace, folder) ? [] : [...foldersAround(folder, workspace), folder]
}

const byLength = (a: string, b: string): number => a.length - b.length
