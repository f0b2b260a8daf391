// `executor signin providers list`: lists the providers at which people sign in.
import type { Command } from "commander"
import type { SignInProviderView } from "../../../../core/people/sign-in.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<SignInProviderView>[] = [
  { title: "ID", value: (provider) => provider.id, keeps: true },
  { title: "NAME", value: (provider) => provider.name },
  { title: "ISSUER", value: (provider) => provider.issuer, keeps: true },
  { title: "CLAIM", value: (provider) => provider.claim },
  { title: "RULES", value: ({ rules }) => rules.map(({ value, roles }) => `${value}=${roles.join(",")}`).join(" ") },
  { title: "DEFAULT", value: ({ defaultRole }) => defaultRole ?? "" },
]

export function configure(command: Command): void {
  command
    .description("List the OpenID Connect providers at which people sign in, with the rules that give them roles.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} signin providers list\n`)
  actWithExecutor<[], object>(command, async (_args, _options, context) => {
    const items = await context.api.signIn.providers.list()
    printPage({ items, nextCursor: null }, columns, "There are no sign-in providers", context)
  })
}
