// Builds the program from the tree of commands, and loads only the file of the command that was named.
import { executorCommand } from "../../io/executor-command.ts"
import { Command } from "commander"
import type { OutputConfiguration } from "commander"
import { productVersion } from "../../local/version.ts"
import { commandTree } from "./command-tree.ts"
import type { CommandEntry } from "./command-entry.ts"
import { withMeantCommand } from "./print/unknown-command.ts"

/** `named`: the words of the command line, of which the first ones name a command; `"all"` loads every file. */
export async function buildProgram(named: readonly string[] | "all"): Promise<Command> {
  const program = new Command("executor")
    .description("The tool plane for AI agents: every API as a typed, searchable, governed function in one catalog.")
    .version(productVersion, "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Show this help.")
    .helpCommand("help [command]", "Show help for a command.")
    .exitOverride()
    .showHelpAfterError(`All commands: ${executorCommand} --help`)
    .configureHelp({ commandUsage: (command) => `${typedName(command)} ${command.usage()}`, sortOptions: false })
    .addHelpText("after", helpEnd)
  program.configureOutput(usageOutput(program))
  await addCommands(program, commandTree, named === "all" || named[0] !== "help" ? named : named.slice(1))
  return program
}

const helpEnd = `
Start here:
  $ ${executorCommand} demo
  $ ${executorCommand} integrations add https://api.example.com/openapi.json
  $ ${executorCommand} tools search "create an issue"
  $ ${executorCommand} call --help github
  $ ${executorCommand} call github.org.main.repos.get '{"owner":"octocat","repo":"hello-world"}'

Every command uses the server running on this machine, or the one EXECUTOR_ORIGIN names. If no server is running, it works without one.
Exit codes: 0 success, 1 failure, 2 incorrect usage, 3 waiting for a human, 4 not found, 5 denied, 6 no server at EXECUTOR_ORIGIN.
`

async function addCommands(parent: Command, entries: readonly CommandEntry[], named: readonly string[] | "all"): Promise<void> {
  for (const entry of entries) {
    const command = parent
      .command(entry.name, { hidden: entry.isHidden === true })
      .summary(entry.summary)
      .description(entry.summary)
    if (entry.heading !== undefined) command.helpGroup(entry.heading)
    command.configureOutput(usageOutput(command)).showHelpAfterError(helpPointer(command))
    if (entry.alias !== undefined) command.alias(entry.alias)
    const isNamed = named === "all" || named[0] === entry.name || (named[0] !== undefined && named[0] === entry.alias)
    const rest = named === "all" ? named : named.slice(1)
    if ("children" in entry) await addCommands(command, entry.children, isNamed ? rest : [])
    else if (isNamed) (await entry.load()).configure(command)
  }
}

/** Machines read the error on stdout alone; people read one voice for every error. */
const usageOutput = (command: Command): OutputConfiguration => ({
  writeErr(text) {
    if (!process.argv.includes("--json")) process.stderr.write(text)
  },
  outputError: (text, write) => write(withMeantCommand(text, command).replace(/^error: /, "executor: ")),
})

const helpPointer = (command: Command): string => `See ${typedName(command)} --help`

export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

/** A command as its reader types it. */
export const typedName = (command: Command): string => [executorCommand, ...fullName(command).split(" ").slice(1)].join(" ")
