// `executor credentials list`: lists the tenant's credentials for tools, without their values.
import type { Command } from "commander"
import type { TenantCredentialView } from "../../../../core/registry/credential.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<TenantCredentialView>[] = [
  { title: "ID", value: ({ id }) => id, keeps: true, breaks: true },
  { title: "LABEL", value: ({ label }) => label },
  {
    title: "PROVIDER",
    value: ({ providerKey, providerVariant }) => (providerVariant === null ? providerKey : `${providerKey}/${providerVariant}`),
  },
  { title: "CATEGORY", value: ({ category }) => category },
  { title: "VALUES", value: ({ values }) => Object.keys(values).join(", ") },
  { title: "ENDPOINT", value: ({ endpoint }) => endpoint ?? "" },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} credentials list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const empty = `No credentials yet. Add one with ${executorCommand} credentials add --help`
    printPage(await context.api.credentials.list(pageRequest(options)), columns, empty, context)
  })
}
