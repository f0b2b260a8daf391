// A program that confines itself in part, and starts one command in that part.
//
// Landlock and seccomp hold for a thread and for what it starts. The only thread of Node's pool confines itself and starts
// the command, which stops at once. That thread then ends, and the command goes on: nothing of this process is inside, so
// that the command can neither signal nor inspect it. The process stays as the parent of everything the command leaves
// behind, and kills it all when the command has ended, or when whoever started the launcher closes descriptor 3 or dies.
import { existsSync, writeSync } from "node:fs"
import { Socket } from "node:net"
import { endDescendants } from "../process-tree.ts"
import { removeFolder } from "../remove-folder.ts"
import { seccompFilter } from "../seccomp/filter.ts"
import { filterOptions } from "./filter-options.ts"
import { libraryCalls, threadCalls, waitOptions } from "./libc.ts"
import { landlockVersionMin } from "./policy.ts"
import type { LandlockPolicy } from "./policy.ts"
import { createRuleset } from "./ruleset.ts"

const statusDescriptor = 3
let tmp: string | null = null

try {
  const [policyText = "", ...command] = process.argv.slice(2)
  // What `landlock.ts` wrote.
  const policy = JSON.parse(policyText) as LandlockPolicy
  tmp = policy.tmp
  const control = new Socket({ fd: statusDescriptor })
  control.on("error", end).on("end", end).on("close", end).resume()
  const pid = await startConfined(policy, command)
  process.on("SIGCHLD", () => reap(pid))
  process.kill(pid, "SIGCONT")
  reap(pid)
} catch (error) {
  report({ error: error instanceof Error ? error.message : String(error) })
  end()
}

async function startConfined(policy: LandlockPolicy, command: readonly string[]): Promise<number> {
  const version = libraryCalls.landlockVersion()
  if (version < 1) throw new Error("this kernel has no Landlock, or it is switched off. Linux 6.12 or newer is needed")
  if (version < landlockVersionMin) throw new Error(`this kernel has version ${version} of Landlock. Linux 6.12 or newer is needed`)
  const filter = seccompFilter(filterOptions(policy.network))
  if (filter === null) throw new Error(`there is no seccomp filter for ${process.arch} processors`)
  const ruleset = createRuleset(policy)
  must(libraryCalls.becomeSubreaper(), "adopting processes")
  must(libraryCalls.shareStandardDescriptors(), "keeping descriptors")
  must(libraryCalls.blockOnStandardDescriptors(), "waiting for output to be read")
  process.chdir(policy.cwd)
  const thread = must(await threadCalls.id(), "finding the thread")
  must(await threadCalls.forbidNewPrivileges(), "giving up new privileges")
  must(await threadCalls.dropCapabilities(), "giving up capabilities")
  must(await threadCalls.restrict(ruleset), "Landlock")
  must(await threadCalls.filter(filter), "seccomp")
  const [file = "/bin/sh"] = command
  const pid = must(await threadCalls.spawn(file, command, environment()), `starting ${file}`)
  libraryCalls.wait(pid, waitOptions.untraced)
  await endThread(thread)
  return pid
}

function environment(): readonly string[] {
  return Object.entries(process.env).flatMap(([name, value]) => (name === "UV_THREADPOOL_SIZE" ? [] : [`${name}=${value ?? ""}`]))
}

async function endThread(thread: number): Promise<void> {
  threadCalls.end()
  while (existsSync(`/proc/self/task/${thread}`)) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits for whatever has ended. The end of the command is the end of all that it started. */
function reap(command: number): void {
  for (;;) {
    const { pid, status } = libraryCalls.wait(-1, waitOptions.noHang)
    if (pid <= 0) return
    if (pid !== command) continue
    const signal = status & 0x7f
    report({ "exit-code": signal === 0 ? (status >> 8) & 0xff : 128 + signal })
    end()
  }
}

function report(status: Readonly<Record<string, string | number>>): void {
  try {
    writeSync(statusDescriptor, `${JSON.stringify(status)}\n`)
  } catch {
    // Nobody is there to read it.
  }
}

function end(): never {
  endDescendants(process.pid)
  // Whoever started this removes it too, unless it has died.
  if (tmp !== null) removeFolder(tmp)
  // Not `process.exit`, which waits for the thread that has ended.
  libraryCalls.endAtOnce(0)
  throw new Error("The process has ended")
}

function must(result: number, what: string): number {
  if (result < 0) throw new Error(`${what} failed`)
  return result
}
