// `executor models add`: adds a model provider.
import { Argument } from "commander"
import type { Command } from "commander"
import { modelProviderKinds } from "../../../../core/agents/model-provider.ts"
import type { ModelProviderKind } from "../../../../core/agents/model-provider.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { addModelProviderOptions, readKey } from "../../agents/model-options.ts"
import type { ModelProviderOptions } from "../../agents/model-options.ts"
import { pricedModels } from "../../agents/model-price.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { inCommands } from "../../registry/act.ts"
import { UsageError } from "../../usage-error.ts"

type Options = ModelProviderOptions & { readonly id?: string; readonly key?: boolean }

export function configure(command: Command): void {
  command
    .description(
      "Add a model provider for agents. Its key is prompted for, read from stdin or from an environment variable; never pass it on the command line. For admins.",
    )
    .addArgument(new Argument("<kind>", "What it speaks.").choices(modelProviderKinds))
    .option("--id <name>", "The name that agents use; by default the kind.")
  addModelProviderOptions(command).option("--no-key", "It needs no key, as a model server on this machine.").addHelpText("after", examples)
  actWithExecutor<[ModelProviderKind], Options>(command, async ([kind], options, context) => {
    if (kind === "openai_compatible" && options.url === undefined)
      throw new UsageError("openai_compatible needs --url, e.g. --url http://127.0.0.1:11434/v1")
    const apiKey = options.key === false ? undefined : await readKey(options, context.screen)
    const input = { id: options.id ?? kind, kind, ...omitUndefined({ baseUrl: options.url, models: pricedModels(options), apiKey }) }
    const provider = await inCommands(() => context.api.models.providers.create(input))
    context.print(provider, () => `Added ${safeLine(provider.id)}. Try it with ${executorCommand} models test ${safeLine(provider.id)}`)
  })
}

const examples = `
Examples:
  $ ${executorCommand} models add openai --models gpt-5 --price gpt-5=1.25/10/0.125 --env OPENAI_API_KEY
  $ ${executorCommand} models add openai_compatible --id local --url http://127.0.0.1:11434/v1 --models qwen3 --no-key
`
