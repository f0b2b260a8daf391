// Runs commands as they are, without a sandbox: after a human agreed, and never otherwise.
//
// What such a command leaves behind is found by its ancestors, by its process group, and by a variable that it inherits. A
// process that drops all three gets away: without a sandbox, nothing can hold it.
import { readFileSync, readdirSync } from "node:fs"
import { randomUUID } from "node:crypto"
import { endDescendants, endProcess } from "../process-tree.ts"
import type { ConfinedCommand, SandboxDriver, SpawnPlan } from "../shell-sandbox.ts"

const marker = "TOOLPLANE_SHELL_COMMAND"

export const none: SandboxDriver = { name: "none", obstacle: () => null, plan: planCommand }

function planCommand({ command, cwd, env }: ConfinedCommand): SpawnPlan {
  const id = randomUUID()
  const [file = "", ...args] = command
  return {
    file,
    args,
    cwd,
    env: { ...env, [marker]: id },
    endsByItself: false,
    descriptors: [],
    endTree: (pid) => {
      if (process.platform === "linux") endDescendants(pid)
      endProcess(pid)
      endLeftovers(pid, id)
    },
    endLeftovers: (pid) => endLeftovers(pid, id),
    dispose: () => {},
  }
}

/** The command leads a process group of its own, whose number is not given to others while somebody is in it. */
function endLeftovers(group: number, id: string): void {
  endProcess(-group)
  if (process.platform === "linux") for (const pid of marked(id)) endProcess(pid)
}

const marked = (id: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`${marker}=${id}`)
      } catch {
        return false
      }
    })
