// `executor models test`: asks a model one short question.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { exitCodes } from "../../exit-code.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { commandsFor } from "../../registry/command-words.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  command
    .argument("<provider>", `The id, as shown by ${executorCommand} models list.`)
    .option("--model <name>", "The model to ask; by default the provider's first.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} models test openai --model gpt-5\n`)
  actWithExecutor<[string], { readonly model?: string }>(command, async ([id], { model }, context) => {
    const tested = await inCommands(() => context.api.models.providers.test(id, omitUndefined({ model })))
    context.print(tested, () =>
      tested.ok
        ? `${safeLine(tested.model)} answered in ${tested.ms} ms: ${safeLine(tested.text)}`
        : `${safeLine(tested.model)} did not answer (${tested.kind}): ${safeLine(commandsFor(tested.message))}`,
    )
    return tested.ok ? exitCodes.done : exitCodes.failed
  })
}
