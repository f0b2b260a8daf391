// Finds and ends all processes below one, on Linux.
//
// Whoever calls this makes sure that nothing gets away from the tree: the process on top is the first of a process id
// namespace, or adopts what its descendants leave behind (`PR_SET_CHILD_SUBREAPER`).
import { readFileSync, readdirSync } from "node:fs"

export type ProcessUse = { readonly pid: number; readonly threads: number; readonly residentPages: number }

type Stat = ProcessUse & { readonly parent: number; readonly isDead: boolean }

/** All living processes below `top`, without it. */
export function descendants(top: number): readonly ProcessUse[] {
  const children = Map.groupBy(allProcesses(), (found) => found.parent)
  const found: Stat[] = []
  const waiting = [top]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child)
      waiting.push(child.pid)
    }
  }
  return found.filter(({ isDead }) => !isDead)
}

/** Kills until nothing is left: what is forked meanwhile is found in the next round, and what was killed forks no more. */
export function endDescendants(top: number): void {
  const deadline = Date.now() + 10_000
  for (let left = descendants(top); left.length > 0 && Date.now() < deadline; left = descendants(top)) {
    for (const { pid } of left) endProcess(pid)
  }
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

function allProcesses(): Stat[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)))
}

/** Its name is in parentheses and may contain some. Fields after it: state, parent, … */
function readStat(pid: number): Stat[] {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return []
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const state = fields[0] ?? ""
  return [
    {
      pid,
      parent: Number(fields[1]),
      threads: Number(fields[17]),
      residentPages: Number(fields[21]),
      isDead: state === "Z" || state === "X",
    },
  ]
}
