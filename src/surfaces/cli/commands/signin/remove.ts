// `executor signin providers remove`: removes a provider at which people sign in.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command
    .description("Remove a sign-in provider, and the roles that people have from it. Roles given by hand stay.")
    .argument("<id>", `The id, as shown by ${executorCommand} signin providers list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} signin providers remove okta\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, context) => {
    await context.api.signIn.providers.remove(id)
    context.print({ removed: id }, () => `Removed ${safeLine(id)}`)
  })
}
