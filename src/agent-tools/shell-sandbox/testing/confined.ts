// What tests of the sandbox share: a workspace with a secret beside it, commands in it, and processes that may be left over.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { confinedEnvironment } from "../command-environment.ts"
import { defaultCommandLimits } from "../command-limits.ts"
import type { CommandLimits } from "../command-limits.ts"
import { runCommand } from "../command-run.ts"
import type { CommandResult } from "../command-run.ts"
import type { ConfinedCommand, SandboxDriver } from "../shell-sandbox.ts"
import { nodePaths } from "../system-paths.ts"

export type Ground = {
  readonly folder: string
  readonly workspace: string
  /** A data directory with a key in it. */ readonly dataDir: string
}

export const secretText = "the-key-of-all-credentials"

export function openGround(): Ground & Disposable {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "executor-attack-")))
  const [workspace, dataDir] = [join(folder, "workspace"), join(folder, "data")]
  mkdirSync(workspace)
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(dataDir, "secret.key"), secretText, { mode: 0o600 })
  return { folder, workspace, dataDir, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

export type RunOptions = Partial<Omit<ConfinedCommand, "limits" | "command">> & {
  readonly limits?: Partial<CommandLimits>
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Long enough for a machine that is busy with other things. */
const patientMs = 120_000

export function run(driver: SandboxDriver, ground: Ground, command: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const { timeoutMs = patientMs, signal = new AbortController().signal, ...others } = options
  return runCommand(driver, confinedCommand(ground, command, others), { timeoutMs, signal })
}

export function confinedCommand(
  { workspace }: Ground,
  command: readonly string[],
  { limits, ...others }: Omit<RunOptions, "timeoutMs" | "signal"> = {},
): ConfinedCommand {
  return {
    command,
    cwd: workspace,
    workspace,
    hidden: [],
    readOnly: [],
    readable: [...nodePaths(), ...koffiPaths],
    network: false,
    env: confinedEnvironment(process.env, () => false),
    ...others,
    limits: { ...defaultCommandLimits, ...limits },
  }
}

export const script = (text: string): readonly string[] => ["/bin/sh", "-c", text]

const koffiFile = fileURLToPath(import.meta.resolve("koffi"))
const modulesFolder = dirname(dirname(koffiFile))
/** So that attacks can make any system call from Node.js. */
const koffiPaths = [join(modulesFolder, "koffi"), join(modulesFolder, "@koromix")].map((path) => realpathSync(path))

/** A program in which `call(number, …)` makes a system call and gives `0` or the number of its error, and `print(value)` answers. */
export const attackProgram = (body: string): readonly string[] => [
  realpathSync(process.execPath),
  "-e",
  `const koffi = require(${JSON.stringify(join(modulesFolder, "koffi"))})
const libc = koffi.load(null)
const syscall = libc.func("long syscall(long number, long a, long b, long c, long d, long e, long f)")
const call = (number, ...args) => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args
  return syscall(number, a, b, c, d, e, f) < 0 ? koffi.errno() : 0
}
const print = (value) => console.log(JSON.stringify(value))
${body}`,
]

/** Processes whose command line has this text in it. */
export const processesWith = (text: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text)
      } catch {
        return false
      }
    })

let count = 0
/** A number of seconds that no other process sleeps for. */
export const uniqueSeconds = (): string => `86400.${process.pid}${(count += 1)}`
