// Runs commands under bubblewrap: in namespaces of their own, where nothing but the system's programs and the workspace exists.
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { limitedCommand } from "../limits-script.ts"
import { endDescendants, endProcess } from "../process-tree.ts"
import { seccompFilter } from "../seccomp/filter.ts"
import type { ConfinedCommand, SandboxDriver, SpawnPlan } from "../shell-sandbox.ts"
import { systemPaths } from "../system-paths.ts"
import { findBubblewrap } from "./find-program.ts"
import { workspaceMounts } from "./workspace-mounts.ts"

const statusDescriptor = 3
const filterDescriptor = 4

/** Files of the kernel that root could write without any capability, e.g. which program it starts after a crash. */
const kernelFiles = [
  "sys",
  "sysrq-trigger",
  "irq",
  "bus",
  "fs",
  "acpi",
  "scsi",
  "mtrr",
  "pressure",
  "driver",
  "tty",
  "asound",
  "timer_stats",
]

export const bubblewrap: SandboxDriver = {
  name: "bubblewrap",
  obstacle: ({ workspace }) => {
    if (process.platform !== "linux") return "bubblewrap is for Linux only"
    if (findBubblewrap(workspace) === null)
      return "bwrap is not installed. Install the package `bubblewrap`, e.g. with `apt install bubblewrap`"
    if (filterOf(false) === null) return `there is no seccomp filter for ${process.arch} processors`
    return null
  },
  plan: planCommand,
}

function planCommand(confined: ConfinedCommand): SpawnPlan {
  const program = findBubblewrap(confined.workspace)
  const filter = filterOf(confined.network)
  if (program === null || filter === null) throw new Error("bubblewrap was asked for although it cannot be used here")
  const folder = mkdtempSync(join(tmpdir(), "executor-shell-"))
  const filterPath = join(folder, "seccomp")
  writeFileSync(filterPath, filter)
  const descriptor = openSync(filterPath, "r")
  rmSync(folder, { recursive: true })
  return {
    file: program,
    args: bubblewrapArguments(confined),
    cwd: "/",
    env: { ...confined.env, HOME: "/tmp", TMPDIR: "/tmp" },
    endsByItself: false,
    descriptors: [descriptor],
    // The namespace of processes ends with the first one in it.
    endTree: (pid) => {
      endDescendants(pid)
      endProcess(pid)
    },
    dispose: () => closeSync(descriptor),
  }
}

function bubblewrapArguments(confined: ConfinedCommand): readonly string[] {
  const { command, cwd, readable, network, limits } = confined
  const system = systemPaths().flatMap(({ path, link }) =>
    // Links of `/etc` may lead to places that are not visible; what they lead to is.
    link === null || path.startsWith("/etc/") ? ["--ro-bind-try", path, path] : ["--symlink", link, path],
  )
  return [
    ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    network ? [] : ["--unshare-net"],
    ["--new-session", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox"],
    ["--json-status-fd", String(statusDescriptor), "--seccomp", String(filterDescriptor)],
    system,
    ["--dev", "/dev", "--proc", "/proc"],
    kernelFiles.map((name) => `/proc/${name}`).flatMap((path) => ["--ro-bind-try", path, path]),
    ["--size", String(limits.tmpBytesMax), "--tmpfs", "/tmp"],
    ["--size", String(limits.tmpBytesMax), "--tmpfs", "/dev/shm"],
    readable.flatMap((path) => ["--ro-bind", path, path]),
    workspaceMounts(confined),
    ["--chdir", cwd, "--", ...limitedCommand(command, limits, processLimit(limits.processesMax))],
  ].flat()
}

/** Processes are counted for each user of a namespace, so that this counts those of the command alone. */
const processLimit = (max: number): string => `ulimit -u ${max} 2>/dev/null || ulimit -p ${max} 2>/dev/null`

/** Sockets of this machine have no names in the namespace, except abstract ones if it has the network of the machine. */
const filterOf = (network: boolean): Buffer | null =>
  seccompFilter({ network, unixSockets: !network, sharedMemory: true, namespaces: true, modeBits: 0o6000 })
