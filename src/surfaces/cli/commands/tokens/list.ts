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
  { title: "LIMITS", value: limitsOf, keeps: true, breaks: true },
  { title: "ELICITATION", value: (token) => token.elicitation.join(", ") },
  { title: "CREATED", value: (token) => shortTime(token.createdAt).slice(0, 10) },
]

/** Below the id where the terminal is narrow, so that a pattern is never cut. */
function limitsOf({ patterns, expiresAt, client, createdBy }: TokenView): string {
  return [
    ...(patterns === null ? [] : [`only ${patterns.join(", ")}`]),
    ...(expiresAt === null ? [] : [`until ${shortTime(expiresAt)}`]),
    ...(client === null ? [] : [`by consent, for ${client}`]),
    ...(createdBy === null ? [] : [`made by ${createdBy}`]),
  ].join("; ")
}

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
