// `executor signin providers update`: changes a provider at which people sign in.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addProviderOptions, readProviderOptions } from "../../sign-in-options.ts"
import type { ProviderOptions } from "../../sign-in-options.ts"

/** `defaultRole` is false for `--no-default-role`. */
type UpdateOptions = Omit<ProviderOptions, "defaultRole"> & {
  readonly defaultRole?: string | boolean
  readonly name?: string
  readonly issuer?: string
  readonly clientId?: string
}

export function configure(command: Command): void {
  addProviderOptions(
    command
      .description("Change a sign-in provider. Rules, domains and values replace those before. They count from each person's next sign-in.")
      .argument("<id>", `The id, as shown by ${executorCommand} signin providers list.`)
      .option("--name <name>", "The text of the button.")
      .option("--issuer <url>", "The provider's issuer. People are known by it: with another one they are strangers.")
      .option("--client-id <id>", "The client id that the provider gave you."),
  )
    .option("--no-default-role", "Refuse people whom no rule matches.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} signin providers update okta --rule 'eng-*=developer' --rule 'ops=admin'\n`)
  actWithExecutor<[string], UpdateOptions>(command, async ([id], { defaultRole, ...options }, context) => {
    const role = defaultRole === false ? null : typeof defaultRole === "string" ? defaultRole : undefined
    const { name, issuer, clientId } = options
    const change = { ...(await readProviderOptions(options)), ...omitUndefined({ name, issuer, clientId, defaultRole: role }) }
    const provider = await context.api.signIn.providers.update(id, change)
    context.print(provider, () => `Changed ${safeLine(provider.id)}`)
  })
}
