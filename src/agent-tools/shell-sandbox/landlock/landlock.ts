// Runs commands under Landlock and seccomp: the kernel refuses what the command does outside of its folders.
//
// A launcher, a Node.js program of its own, confines and starts the command (`launcher.ts`). It works where namespaces are
// forbidden, as they are in many containers. What Landlock does not govern is in docs/decisions/0044-shell-sandbox.md.
import { mkdtempSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { threadFile } from "../../../io/thread.ts"
import { limitedCommand } from "../limits-script.ts"
import { endDescendants, endProcess } from "../process-tree.ts"
import { removeFolder } from "../remove-folder.ts"
import { seccompFilter } from "../seccomp/filter.ts"
import type { ConfinedCommand, SandboxDriver, SpawnPlan } from "../shell-sandbox.ts"
import { systemPaths } from "../system-paths.ts"
import { filterOptions } from "./filter-options.ts"
import type { LandlockPolicy } from "./policy.ts"

export const landlock: SandboxDriver = {
  name: "landlock",
  obstacle: ({ hidden }) => {
    if (process.platform !== "linux") return "Landlock is for Linux only"
    if (!hasLibrary()) return "the optional package `koffi` is not installed. Install it with `npm install koffi`"
    if (seccompFilter(filterOptions(false)) === null) return `there is no seccomp filter for ${process.arch} processors`
    if (hidden.length > 0)
      return `Landlock cannot hide ${hidden.join(", ")} inside the workspace. Choose a folder without it, or install bubblewrap`
    return null
  },
  plan: planCommand,
}

function planCommand({ command, cwd, workspace, readable, network, env, limits }: ConfinedCommand): SpawnPlan {
  const tmp = realpathSync(mkdtempSync(join(tmpdir(), "executor-shell-")))
  const policy: LandlockPolicy = {
    readable: [...systemPaths().map(({ path }) => path), "/proc", ...readable],
    writable: [workspace, tmp],
    tmp,
    devices: ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"],
    network,
    cwd,
  }
  return {
    file: process.execPath,
    args: [
      // The launcher needs little memory, and no time for compiling.
      "--max-old-space-size=64",
      "--disable-warning=ExperimentalWarning",
      fileURLToPath(threadFile("launcher", import.meta.url)),
      JSON.stringify(policy),
      // The launcher continues it once nothing of its own can be reached from inside.
      ...limitedCommand(command, limits, "kill -STOP $$"),
    ],
    cwd: "/",
    env: { ...env, HOME: tmp, TMPDIR: tmp, UV_THREADPOOL_SIZE: "1" },
    endsByItself: true,
    descriptors: [],
    // The launcher adopts all that the command leaves behind, so it goes last.
    endTree: (pid) => {
      endDescendants(pid)
      endProcess(pid)
    },
    tmp,
    dispose: () => removeFolder(tmp),
  }
}

function hasLibrary(): boolean {
  try {
    createRequire(import.meta.url).resolve("koffi")
    return true
  } catch {
    return false
  }
}
