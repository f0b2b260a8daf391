// `executor models edit`: changes a model provider.
import type { Command } from "commander"
import type { ModelEntry, ModelProviderView } from "../../../../core/agents/model-provider.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import type { Page } from "../../../../core/page.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { addModelProviderOptions, readKey } from "../../agents/model-options.ts"
import type { ModelProviderOptions } from "../../agents/model-options.ts"
import { pricedModels } from "../../agents/model-price.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { UsageError } from "../../usage-error.ts"
import { inCommands } from "../../registry/act.ts"

type Options = ModelProviderOptions & { readonly key?: boolean }

export function configure(command: Command): void {
  command
    .description("Change a model provider. --key asks for another key; another address needs it again.")
    .argument("<provider>", `The id, as shown by ${executorCommand} models list.`)
  addModelProviderOptions(command)
    .option("--key", "Ask for another key.")
    .option("--no-key", "Remove the key.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} models edit openai --key\n  $ ${executorCommand} models edit local --models qwen3,llama4\n  $ ${executorCommand} models edit openai --price gpt-5=1.25/10\n`,
    )
  actWithExecutor<[string], Options>(command, async ([id], options, context) => {
    const isKeyGiven = options.key === true || options.env !== undefined || options.secretStdin === true
    const apiKey = options.key === false ? null : isKeyGiven ? await readKey(options, context.screen) : undefined
    const models = pricedModels(options, await entriesOf(id, options, context.api))
    const change = omitUndefined({ baseUrl: options.url, models, apiKey })
    if (Object.keys(change).length === 0) throw new UsageError("Nothing to change: give --url, --models, --price, --key or --no-key")
    const provider = await inCommands(() => context.api.models.providers.update(id, change))
    context.print(provider, () => `Changed ${safeLine(provider.id)}`)
  })
}

/** Prices stay with their models unless they are typed anew. */
async function entriesOf(id: string, { models, price }: Options, api: ExecutorApi): Promise<readonly ModelEntry[]> {
  if (models === undefined && price === undefined) return []
  let cursor: string | null = null
  do {
    const page: Page<ModelProviderView> = await api.models.providers.list(cursor === null ? {} : { cursor })
    const found = page.items.find((provider) => provider.id === id)
    if (found !== undefined) return found.models
    cursor = page.nextCursor
  } while (cursor !== null)
  return []
}
