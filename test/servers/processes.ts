// Which processes there are below another one, as /proc tells: what has ended and was not collected yet does not count.
import { readFileSync, readdirSync } from "node:fs"

type Process = { readonly pid: number; readonly parent: number; readonly group: number; readonly command: string }

function allProcesses(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8")
      const [state = "", parent = "", group = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim()
      return state === "Z" || state === "X" ? [] : [{ pid: Number(name), parent: Number(parent), group: Number(group), command }]
    } catch {
      return []
    }
  })
}

/** Those that are running a program whose command line holds this text. */
export const processesWith = (text: string): Process[] =>
  allProcesses().filter((process) => process.command.includes(text) && !process.command.startsWith("/bin/sh"))

/** Everything in the groups that these processes are in. */
export const processesInGroups = (groups: readonly number[]): Process[] =>
  allProcesses().filter((process) => groups.includes(process.group))

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** True as soon as the statement is; false when it did not become so in time. */
export async function becomes(statement: () => boolean, timeoutMs = 60_000): Promise<boolean> {
  const endMs = performance.now() + timeoutMs
  while (performance.now() < endMs) {
    if (statement()) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return statement()
}
