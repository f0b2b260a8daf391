// Runs commands under bubblewrap: in namespaces of their own, where nothing but the system's programs and the workspace exists.
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { limitedCommand } from "../limits-script.ts"
import { endDescendants, endProcess } from "../process-tree.ts"
import { seccompFilter } from "../seccomp/filter.ts"
import type { ConfinedCommand, SandboxDriver, SpawnPlan } from "../shell-sandbox.ts"
import { systemPaths } from "../system-paths.ts"

const statusDescriptor = 3
const filterDescriptor = 4

/** Git runs what these say outside of any sandbox. */
const runByGit = [".git/hooks", ".git/config"]

export const bubblewrap: SandboxDriver = {
  name: "bubblewrap",
  obstacle: () => {
    if (process.platform !== "linux") return "bubblewrap is for Linux only"
    if (findProgram() === null) return "bwrap is not installed. Install the package `bubblewrap`, e.g. with `apt install bubblewrap`"
    if (filterOf(false) === null) return `there is no seccomp filter for ${process.arch} processors`
    return null
  },
  plan: planCommand,
}

function planCommand(confined: ConfinedCommand): SpawnPlan {
  const program = findProgram()
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

function bubblewrapArguments({ command, cwd, workspace, hidden, readable, network, limits }: ConfinedCommand): readonly string[] {
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
    ["--size", String(limits.tmpBytesMax), "--tmpfs", "/tmp"],
    ["--size", String(limits.tmpBytesMax), "--tmpfs", "/dev/shm"],
    readable.flatMap((path) => ["--ro-bind", path, path]),
    ["--bind", workspace, workspace],
    runByGit.map((name) => join(workspace, name)).flatMap((path) => ["--ro-bind-try", path, path]),
    hidden.flatMap(hide),
    ["--chdir", cwd, "--", ...limitedCommand(command, limits, processLimit(limits.processesMax))],
  ].flat()
}

const hide = (path: string): readonly string[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? ["--tmpfs", path, "--remount-ro", path]
    : ["--ro-bind-try", "/dev/null", path]

/** Processes are counted for each user of a namespace, so that this counts those of the command alone. */
const processLimit = (max: number): string => `ulimit -u ${max} 2>/dev/null || ulimit -p ${max} 2>/dev/null`

/** Sockets of this machine have no names in the namespace, except abstract ones if it has the network of the machine. */
const filterOf = (network: boolean): Buffer | null =>
  seccompFilter({ network, unixSockets: !network, sharedMemory: true, modeBits: 0o6000 })

/** Not from the folder that the agent works in: a command could put a program of this name there. */
function findProgram(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder.startsWith("/") && folder !== process.cwd())
  const found = [...folders, "/usr/bin", "/usr/local/bin"].map((folder) => join(folder, "bwrap")).find((path) => existsSync(path))
  return found !== undefined && statSync(dirname(found)).isDirectory() ? found : null
}
