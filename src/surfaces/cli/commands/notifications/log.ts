// `executor notifications log`: shows what a notification told, and what became of it.
import type { Command } from "commander"
import type { DeliveryView } from "../../../../core/notifications/notification.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<DeliveryView>[] = [
  { title: "TIME", value: ({ updatedAt }) => shortTime(updatedAt), keeps: true },
  { title: "STATE", value: ({ state }) => state },
  { title: "WHAT", value: ({ approvalId }) => approvalId ?? "test" },
  { title: "TRIES", value: ({ attempts }) => String(attempts) },
  { title: "ANSWER", value: ({ status }) => (status === null ? "" : String(status)) },
  { title: "NEXT TRY", value: ({ nextTryAt }) => shortTime(nextTryAt) },
  { title: "ERROR", value: ({ error }) => error ?? "" },
]

export function configure(command: Command): void {
  command.argument("<notification>", `The id, as shown by ${executorCommand} notifications list.`)
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} notifications log ntf_0mw2\n`)
  actWithExecutor<[string], PageOptions>(command, async ([id], options, context) => {
    const empty = `Nothing was told yet. Try it: ${executorCommand} notifications test ${id}`
    printPage(await context.api.notifications.log(id, pageRequest(options)), columns, empty, context)
  })
}
