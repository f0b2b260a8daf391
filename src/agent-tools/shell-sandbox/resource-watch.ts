// Looks at what a running command uses in total, which the kernel limits for single processes only.
import { statfsSync } from "node:fs"
import type { CommandLimits } from "./command-limits.ts"
import { descendants } from "./process-tree.ts"

const pageBytes = 4096

/** Calls `onExceeded` at most once, with what the command used too much of. Returns how to stop looking. */
export function watchResources(
  pid: number | undefined,
  { workspace, tmp, limits }: { readonly workspace: string; readonly tmp?: string | undefined; readonly limits: CommandLimits },
  onExceeded: (reason: string) => void,
): () => void {
  if (pid === undefined || process.platform !== "linux") return () => {}
  const disks = [diskOf(workspace, "the disk of the workspace"), ...(tmp === undefined ? [] : [diskOf(tmp, "the disk of temporary files")])]
  const timer = setInterval(() => {
    const reason = exceededProcesses(pid, limits) ?? disks.map((disk) => exceededDisk(disk, limits)).find((found) => found !== null)
    if (reason === undefined) return
    clearInterval(timer)
    onExceeded(reason)
  }, limits.watchIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

function exceededProcesses(pid: number, { processesMax, memoryBytesMax }: CommandLimits): string | null {
  const all = descendants(pid)
  const threads = all.reduce((sum, found) => sum + found.threads, 0)
  if (threads > processesMax) return `it started more than ${processesMax} processes`
  const bytes = all.reduce((sum, found) => sum + found.residentPages * pageBytes, 0)
  return bytes > memoryBytesMax ? `it used more than ${megabytes(memoryBytesMax)} of memory` : null
}

type Disk = { readonly name: string; readonly folder: string; readonly freeAtStart: number | null }

const diskOf = (folder: string, name: string): Disk => ({ name, folder, freeAtStart: freeBytes(folder) })

function exceededDisk({ name, folder, freeAtStart }: Disk, { diskBytesMax }: CommandLimits): string | null {
  const free = freeBytes(folder)
  if (free === null || freeAtStart === null || freeAtStart - free <= diskBytesMax) return null
  return `${name} filled up by more than ${megabytes(diskBytesMax)}`
}

const megabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MiB`

/** Null if the folder is gone, as that of a command which has just ended. */
function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return null
  }
}
