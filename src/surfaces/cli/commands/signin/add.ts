// `executor signin providers add`: adds an OpenID Connect provider at which people sign in.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addProviderOptions, readProviderOptions } from "../../sign-in-options.ts"
import type { ProviderOptions } from "../../sign-in-options.ts"

type AddOptions = ProviderOptions & { readonly id?: string; readonly issuer: string; readonly clientId: string }

export function configure(command: Command): void {
  addProviderOptions(
    command
      .description("Add an OpenID Connect provider. Register the redirect URI that is printed there.")
      .argument("<name>", "The text of the button on the sign-in page.")
      .requiredOption("--issuer <url>", "The provider's issuer.")
      .requiredOption("--client-id <id>", "The client id that the provider gave you.")
      .option("--id <id>", "Its id here. By default made of the name."),
  ).addHelpText(
    "after",
    `\nExample:\n  $ ${executorCommand} signin providers add Okta --issuer https://acme.okta.com --client-id 0oa1b2 --env OKTA_SECRET \\\n      --scopes email,profile,groups --rule 'eng-*=developer' --domain acme.com\n`,
  )
  actWithExecutor<[string], AddOptions>(command, async ([name], options, context) => {
    const { defaultRole, ...fields } = await readProviderOptions(options)
    const { id, issuer, clientId } = options
    const given = omitUndefined({ id, defaultRole: defaultRole ?? undefined })
    const made = await context.api.signIn.providers.create({ ...fields, ...given, name, issuer, clientId })
    context.print(made, () => `Added ${safeLine(made.id)}. Register this redirect URI at the provider: ${safeLine(made.redirectUri)}`)
    if (!context.printsJson) context.screen.note(`Then try it with \`${executorCommand} signin providers test ${safeLine(made.id)}\``)
  })
}
