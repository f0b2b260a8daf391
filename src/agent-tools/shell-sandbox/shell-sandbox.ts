// The port of the shell's sandbox: what a driver makes of a command, and how much the command may use.
//
// A driver does not run anything. It says which program to start, and with what, so that the command ends up confined;
// `command-run.ts` starts it, and `choose.ts` tries at the start which driver works here.
import type { CommandLimits } from "./command-limits.ts"

export type DriverName = "bubblewrap" | "landlock" | "none"

/** The command, and all that it may see and use. Paths are real paths. */
export type ConfinedCommand = {
  /** The program and its arguments. */
  readonly command: readonly string[]
  readonly cwd: string
  /** The folder that may be written to. */
  readonly workspace: string
  /** Files and folders inside the workspace that must not even be read. */
  readonly hidden: readonly string[]
  /** Files and folders inside the workspace, none of them a link, that must not be changed. Drivers do it if they can. */
  readonly readOnly: readonly string[]
  /** Files and folders that may be read, besides those of the system. */
  readonly readable: readonly string[]
  readonly network: boolean
  readonly env: Readonly<Record<string, string>>
  readonly limits: CommandLimits
}

/** A program to start. It writes lines of JSON to file descriptor 3, of which `{"exit-code":0}` says how the command ended. */
export type SpawnPlan = {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Open files that it inherits as descriptors 4, 5, … */
  readonly descriptors: readonly number[]
  /** A folder outside of the workspace, on a disk that the command could fill. */
  readonly tmp?: string
  /** Whether it ends everything when descriptor 3 is closed. */
  readonly endsByItself: boolean
  /** Ends it, and everything that the command started. */
  readonly endTree: (pid: number) => void
  /** Ends what it left behind. A driver that confines leaves nothing. */
  readonly endLeftovers?: (pid: number) => void
  /** Closes and removes what was made for this command. */
  readonly dispose: () => void
}

export type SandboxDriver = {
  readonly name: DriverName
  /** Why it cannot confine this command, with what to do. Null if it can. */
  readonly obstacle: (command: ConfinedCommand) => string | null
  readonly plan: (command: ConfinedCommand) => SpawnPlan
}
