// `executor tokens list`: lists tokens without their secrets.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { TokenView } from "../../../../core/token.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<TokenView>[] = [
  { title: "ID", value: (token) => token.id, keeps: true, breaks: true },
  { title: "NAME", value: (token) => token.name },
  { title: "USER", value: (token) => token.user },
  { title: "KIND", value: (token) => token.kind },
  { title: "ELICITATION", value: (token) => token.elicitation.join(", ") },
  { title: "CREATED", value: (token) => shortTime(token.createdAt) },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} tokens list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    printPage(
      await context.api.tokens.list(pageRequest(options)),
      columns,
      `No tokens yet. Create one with ${executorCommand} tokens create --agent`,
      context,
    )
  })
}
