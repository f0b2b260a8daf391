// `executor notifications list`: lists whom approvals are told to, without addresses.
import type { Command } from "commander"
import type { NotificationView } from "../../../../core/notifications/notification.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<NotificationView>[] = [
  { title: "ID", value: ({ id }) => id, keeps: true },
  { title: "NAME", value: ({ name }) => name },
  { title: "KIND", value: ({ kind }) => kind },
  { title: "HOST", value: ({ host }) => host },
  { title: "ON", value: ({ enabled }) => (enabled ? "on" : "off") },
  { title: "TOOLS", value: ({ patterns }) => patterns?.join(", ") ?? "all" },
  { title: "LAST", value: ({ lastDelivery }) => lastDelivery?.state ?? "" },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} notifications list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const empty = `No notifications yet. Add one with ${executorCommand} notifications add --help`
    printPage(await context.api.notifications.list(pageRequest(options)), columns, empty, context)
  })
}
