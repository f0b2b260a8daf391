// What the tree of commands is made of: a command by its name and one line, or a group of them.
import type { Command } from "commander"

export type CommandModule = { configure(command: Command): void }

export type CommandEntry = {
  readonly name: string
  readonly summary: string
  /** What people also call it. */
  readonly alias?: string
  /** Completion asks it; people do not. */
  readonly isHidden?: boolean
} & (
  | { load(): Promise<CommandModule>; /** The heading it stands under in the help. */ readonly heading?: string }
  | { readonly children: readonly CommandEntry[]; readonly heading?: string }
)
