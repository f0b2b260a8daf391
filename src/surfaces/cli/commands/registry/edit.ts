// `executor registry edit`: changes the working copy of a tool; production keeps running what was published.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import { addDefinitionOptions } from "../../registry/definition-options.ts"
import type { DefinitionOptions } from "../../registry/definition-options.ts"
import { readChange } from "../../registry/definition-read.ts"
import { isChanged, publishHint, standText, testHint } from "../../registry/text.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  toolArgument(command).description(
    "Change the working copy of a tool. What you leave out stays, secrets among it. Production keeps running what was published until you publish again.",
  )
  addDefinitionOptions(command).addHelpText("after", examples)
  actOnTool<[], DefinitionOptions>(command, async (before, _rest, options, context) => {
    const change = await readChange(options, before, context)
    if (Object.keys(change).length === 0)
      throw new UsageError(
        `Nothing to change: give an option such as --description or --url, or --file; see ${executorCommand} registry edit --help`,
      )
    const tool = await context.api.registry.update(before.id, change)
    context.print(tool, () => `Changed ${safeLine(tool.slug)}: ${standText(tool)}`)
    if (context.printsJson || !tool.hasUnpublishedChanges) return
    context.screen.note(testHint(tool))
    if (isChanged(tool)) context.screen.note(`See what changed: ${executorCommand} registry diff ${safeLine(tool.slug)}`)
    if (tool.status === "draft" || tool.status === "published") context.screen.note(publishHint(tool))
  })
}

const examples = `
Examples:
  $ ${executorCommand} registry edit show_order --description "Shows an order, its product and its status"
  $ ${executorCommand} registry edit place_order --param note:string
  $ ${executorCommand} registry edit my_repos --header 'authorization=Bearer \${token}' --env GITHUB_TOKEN
  $ ${executorCommand} registry edit restock --code @restock.ts
  $ ${executorCommand} registry edit restock --file tool.json
`
