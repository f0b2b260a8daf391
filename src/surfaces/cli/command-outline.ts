// The commands as plain values, for what is generated from them: the reference and the completion scripts.
import type { Command } from "commander"
import { buildProgram, fullName, typedName } from "./program.ts"

export type OptionOutline = {
  readonly flags: string
  /** `--name` and `-n`. */
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly choices: readonly string[]
  readonly description: string
}

export type CommandOutline = {
  /** Without `executor`: `["tools", "search"]`. */
  readonly words: readonly string[]
  readonly usage: string
  readonly summary: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly choices: readonly string[] }[]
  readonly options: readonly OptionOutline[]
  readonly children: readonly CommandOutline[]
  /** What stands below its help. */
  readonly examples: string
}

export const outlineCommands = async (): Promise<CommandOutline> => outline(await buildProgram("all"))

function outline(command: Command): CommandOutline {
  const visible = command.createHelp().visibleCommands(command)
  return {
    words: fullName(command).split(" ").slice(1),
    usage: `${typedName(command)} ${command.usage()}`,
    summary: command.summary(),
    description: command.description(),
    arguments: command.registeredArguments.map((one) => ({
      name: one.name(),
      description: one.description,
      choices: one.argChoices ?? [],
    })),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((option) => ({
        flags: option.flags,
        names: [option.short, option.long].filter((one) => one !== undefined),
        takesValue: option.required || option.optional,
        choices: option.argChoices ?? [],
        description: option.description,
      })),
    children: visible.filter((one) => one.name() !== "help").map(outline),
    examples: examplesOf(command),
  }
}

function examplesOf(command: Command): string {
  let text = ""
  command.configureOutput({ ...command.configureOutput(), writeOut: (piece) => void (text += piece) })
  command.outputHelp()
  const at = text.search(/^(Examples?|Start here):$/m)
  return at < 0 ? "" : text.slice(at).trimEnd()
}
