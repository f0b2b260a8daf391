// `executor registry create`: makes a tool, as a draft that only tests run.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { inCommands } from "../../registry/act.ts"
import { addDefinitionOptions } from "../../registry/definition-options.ts"
import type { DefinitionOptions } from "../../registry/definition-options.ts"
import { readNewTool } from "../../registry/definition-read.ts"
import { publishHint, testHint } from "../../registry/text.ts"

export function configure(command: Command): void {
  command.description(
    "Make a tool: an HTTP request, code that uses other tools, an artifact, a function of the server, a tool of an MCP server, a built-in with settings of its own, a retrieval pipeline, or another agent. It is a draft until it is published. Values of headers and keys are prompted for, read from stdin or from an environment variable; never pass them on the command line.",
  )
  addDefinitionOptions(command).addHelpText("after", examples)
  actWithExecutor<[], DefinitionOptions>(command, async (_args, options, context) => {
    const input = await readNewTool(options, context)
    const tool = await inCommands(() => context.api.registry.create(input))
    context.print(tool, () => `Created ${safeLine(tool.slug)} (${safeLine(tool.implementationType)}), a draft`)
    if (!context.printsJson) context.screen.note(`${testHint(tool)}\n${publishHint(tool)}`)
  })
}

const examples = `
Examples:
  $ ${executorCommand} registry create --name "Show order" --description "Shows an order by its number" --url https://shop.example.com/orders/{id}
  $ ${executorCommand} registry create --name "Place order" --description "Orders a product" --url https://shop.example.com/orders --method POST --param productId:string:required --param quantity:integer:required
  $ ${executorCommand} registry create --name "My repos" --description "Lists my repositories" --url https://api.github.com/user/repos --header 'authorization=Bearer \${token}' --env GITHUB_TOKEN
  $ ${executorCommand} registry create --name "Restock" --description "Says what to order again" --code @restock.ts --param stockMax:integer
  $ ${executorCommand} registry create --name "Slugify" --description "Makes a slug of a title" --artifact slugify
  $ ${executorCommand} registry create --file tool.json
`
