// `executor mcp`: its options, read before the protocol is loaded.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { Option } from "commander"
import { elicitationModes } from "../../../core/token.ts"
import type { McpOptions } from "../mcp.ts"

export function configure(command: Command): void {
  command
    .description(
      "Serve MCP on stdin and stdout, for clients that start programs. It acts as an agent, through the server that runs here; where none runs, it starts one inside itself.",
    )
    .addOption(new Option("--elicitation-mode <mode>", "How approvals reach you (default browser).").choices([...elicitationModes]))
    .addOption(new Option("--results <form>", "What calls answer in code: envelope, or raw data.").choices(["envelope", "raw"]))
    .addOption(new Option("--discovery <form>", "Also offer search_tools and read_tool.").choices(["code", "tools"]))
    .option("--config <file>", "Plugins to load where no server runs (EXECUTOR_CONFIG).")
    .addHelpText("after", examples)
    .action(async () => {
      const { serveMcp } = await import("../mcp.ts")
      await serveMcp(command.opts<McpOptions>())
    })
}

// Clients start it in any directory, so a clone is named by its whole path.
const examples = `
Examples:
  $ claude mcp add executor -- "$PWD/executor" mcp
  $ ${executorCommand} mcp --elicitation-mode native
`
