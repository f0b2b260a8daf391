// `executor credentials edit`: changes a credential of the tenant.
import type { Command } from "commander"
import type { TenantCredentialUpdate, TenantCredentialView } from "../../../../core/registry/credential.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { readAuthValues } from "../../connections/auth-values.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { inCommands } from "../../registry/act.ts"
import { addCredentialOptions } from "../../registry/credential-options.ts"
import type { CredentialOptions } from "../../registry/credential-options.ts"
import { findCredential } from "../../registry/find.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  command
    .description(
      "Change a credential of the organization. --secret-stdin or --env replaces its values, and so does --value; a new endpoint asks for them again, because a credential goes only where it was meant to.",
    )
    .argument("<credential>", `The id or label, as shown by ${executorCommand} credentials list.`)
  addCredentialOptions(command).addHelpText(
    "after",
    `\nExamples:\n  $ ${executorCommand} credentials edit serper --value api_key\n  $ ${executorCommand} credentials edit serper --label "Serper of the shop"\n`,
  )
  actWithExecutor<[string], CredentialOptions>(command, async ([word], options, context) => {
    const change = await readChange(await findCredential(word, context.api), options, context)
    const credential = await inCommands(() => context.api.credentials.update(change.id, change.fields))
    context.print(credential, () => `Changed ${safeLine(credential.label)} (${safeLine(credential.id)})`)
  })
}

async function readChange(
  { id, values: stored, endpoint: before }: TenantCredentialView,
  options: CredentialOptions,
  { screen }: ExecutorCommandContext,
): Promise<{ readonly id: string; readonly fields: TenantCredentialUpdate }> {
  const { variant, category, label, endpoint } = options
  const isNew = options.secretStdin === true || options.env !== undefined || (endpoint !== undefined && endpoint !== before)
  const names = options.value ?? (isNew ? Object.keys(stored) : [])
  const read = await readAuthValues(names, { env: options.env ?? [], secretStdin: options.secretStdin === true }, screen)
  // What was not read stays as it is stored.
  const values = names.length === 0 && endpoint === undefined ? undefined : { ...stored, ...read, ...omitUndefined({ endpoint }) }
  const fields = omitUndefined({ providerVariant: variant, category, label, values })
  if (Object.keys(fields).length === 0)
    throw new UsageError("Nothing to change: give --value, --label, --endpoint, --variant or --category")
  return { id, fields }
}
