// `executor credentials add`: keeps a credential of the tenant for built-ins and registry tools.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { readAuthValues } from "../../connections/auth-values.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { inCommands } from "../../registry/act.ts"
import { addCredentialOptions } from "../../registry/credential-options.ts"
import type { CredentialOptions } from "../../registry/credential-options.ts"

export function configure(command: Command): void {
  command
    .description(
      "Keep a credential of the organization, which tools use without anybody seeing it. Its value is prompted for, read from stdin or from an environment variable; never pass it on the command line. For admins.",
    )
    .argument("<provider>", "Whose credential it is, e.g. web_search or serper.")
  addCredentialOptions(command).addHelpText("after", examples)
  actWithExecutor<[string], CredentialOptions>(command, async ([providerKey], options, context) => {
    const { variant, category = "custom", label = providerKey, value = ["api_key"], endpoint } = options
    const values = await readAuthValues(value, { env: options.env ?? [], secretStdin: options.secretStdin === true }, context.screen)
    const credential = await inCommands(() =>
      context.api.credentials.create({
        category,
        providerKey,
        label,
        values: { ...values, ...omitUndefined({ endpoint }) },
        ...omitUndefined({ providerVariant: variant }),
      }),
    )
    context.print(credential, () => `Added ${safeLine(credential.label)} (${safeLine(credential.id)})`)
  })
}

const examples = `
Examples:
  $ ${executorCommand} credentials add web_search --variant serper
  $ ${executorCommand} credentials add serper --env SERPER_API_KEY
  $ pass show serper | ${executorCommand} credentials add serper --label "Serper of the shop" --secret-stdin
`
