// `executor sessions list`: lists the browsers that are signed in.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { SessionView } from "../../../../core/people/session.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { browserName } from "../../../../core/text/browser-name.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<SessionView>[] = [
  { title: "ID", value: (session) => session.id, keeps: true, breaks: true },
  { title: "USER", value: (session) => session.user },
  { title: "METHOD", value: (session) => session.method },
  { title: "FROM", value: (session) => session.address ?? "" },
  { title: "BROWSER", value: (session) => browserName(session.userAgent ?? ""), widthMax: 30 },
  { title: "SEEN", value: (session) => shortTime(session.lastSeenAt) },
]

export function configure(command: Command): void {
  command.description("List your open browser sessions; admins see those of everybody.")
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} sessions list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const empty = `No browser is signed in. Sign in with ${executorCommand} web`
    printPage(await context.api.sessions.list(pageRequest(options)), columns, empty, context)
  })
}
