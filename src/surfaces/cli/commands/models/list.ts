// `executor models list`: lists the model providers, without their keys.
import type { Command } from "commander"
import type { ModelProviderView } from "../../../../core/agents/model-provider.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { entryText } from "../../agents/model-price.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<ModelProviderView>[] = [
  { title: "ID", value: ({ id }) => id, keeps: true },
  { title: "KIND", value: ({ kind }) => kind },
  { title: "ADDRESS", value: ({ baseUrl }) => baseUrl },
  { title: "KEY", value: ({ apiKey }) => apiKey ?? "none" },
  { title: "MODELS", value: ({ models }) => models.map(entryText).join(", ") || "any" },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} models list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const empty = `No model providers yet. Add one with ${executorCommand} models add --help`
    printPage(await context.api.models.providers.list(pageRequest(options)), columns, empty, context)
  })
}
