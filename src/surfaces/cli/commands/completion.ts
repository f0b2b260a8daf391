// `executor completion`: prints a script that completes commands, options and paths of tools.
import { executorCommand } from "../../../io/executor-command.ts"
import { Argument } from "commander"
import type { Command } from "commander"
import { outlineCommands } from "../command-outline.ts"
import { completionScript, shells } from "../completion-script.ts"
import type { Shell } from "../completion-script.ts"
import { openScreen } from "../print/screen.ts"

export function configure(command: Command): void {
  command
    .description("Print a script that completes commands, options and, while a server is running, tool paths.")
    .addArgument(new Argument("<shell>", "The shell.").choices(shells))
    .addHelpText("after", examples)
    .action(async (shell: Shell) => openScreen().data(completionScript(shell, await outlineCommands()).trimEnd()))
}

const examples = `
Examples:
  $ source <(${executorCommand} completion bash)
  $ ${executorCommand} completion zsh > "\${fpath[1]}/_executor"
  $ ${executorCommand} completion fish > ~/.config/fish/completions/executor.fish
`
