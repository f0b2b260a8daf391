// `executor mcp`: its options, read before the protocol is loaded.
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

// Clients start it in whatever directory, where npx would fetch another package of that name.
const examples = `
Examples:
  $ claude mcp add executor -- node /path/to/executor/bin/executor.js mcp
  $ node /path/to/executor/bin/executor.js mcp --elicitation-mode native
`
