// Looks at what a running command uses in total, which the kernel limits for single processes only.
import { statfsSync } from "node:fs"
import type { CommandLimits } from "./command-limits.ts"
import { descendants } from "./process-tree.ts"

const pageBytes = 4096

/** Calls `onExceeded` at most once, with what the command used too much of. Returns how to stop looking. */
export function watchResources(
  pid: number | undefined,
  { workspace, limits }: { readonly workspace: string; readonly limits: CommandLimits },
  onExceeded: (reason: string) => void,
): () => void {
  if (pid === undefined || process.platform !== "linux") return () => {}
  const freeAtStart = freeBytes(workspace)
  const timer = setInterval(() => {
    const reason = exceededProcesses(pid, limits) ?? exceededDisk(freeAtStart - freeBytes(workspace), limits)
    if (reason === null) return
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

const exceededDisk = (usedBytes: number, { diskBytesMax }: CommandLimits): string | null =>
  usedBytes > diskBytesMax ? `the disk of the workspace filled up by more than ${megabytes(diskBytesMax)}` : null

const megabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MiB`

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}
