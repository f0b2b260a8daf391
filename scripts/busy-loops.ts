// Keeps processors busy beside the tests, with processes that end by themselves once the one that started them is gone.
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"

/** The parent is named: it may be gone before the loop begins. */
const loop = "while (process.ppid === Number(process.argv[1]));"

export function startBusyLoops(count: number): readonly ChildProcess[] {
  return Array.from({ length: count }, () => spawn(process.execPath, ["-e", loop, String(process.pid)], { stdio: "ignore" }))
}
