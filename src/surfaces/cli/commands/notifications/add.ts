// `executor notifications add`: tells approvals that wait to a webhook.
import { Argument } from "commander"
import type { Command } from "commander"
import { notificationKinds } from "../../../../core/notifications/notification.ts"
import type { NotificationKind } from "../../../../core/notifications/notification.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addNotificationOptions, readUrl } from "../../notifications/options.ts"
import type { NotificationOptions } from "../../notifications/options.ts"
import { omitUndefined } from "../../omit-undefined.ts"

type Options = NotificationOptions & { readonly name?: string }

export function configure(command: Command): void {
  command
    .description(
      "Tell approvals that wait to a signed webhook, or to a webhook of Slack or of whatever takes its messages. The address is a secret: it is prompted for or read from stdin. For admins.",
    )
    .addArgument(new Argument("<kind>", "What the receiver understands.").choices(notificationKinds))
    .option("--name <name>", "What people call it; by default the kind.")
  addNotificationOptions(command).addHelpText("after", examples)
  actWithExecutor<[NotificationKind], Options>(command, async ([kind], options, context) => {
    const { name = kind, tools: patterns, arguments: includeArguments } = options
    const url = await readUrl(options, context.screen)
    const added = await context.api.notifications.create({ name, kind, url, ...omitUndefined({ patterns, includeArguments }) })
    context.print(added, () => `Added ${added.id}: approvals are told to ${safeLine(added.host)}`)
    if (context.printsJson) return
    if (added.signingSecret !== null)
      context.screen.note(`Its messages are signed with this secret, which is not shown again: ${safeLine(added.signingSecret)}`)
    context.screen.note(`Try it: ${executorCommand} notifications test ${added.id}`)
  })
}

const examples = `
Examples:
  $ ${executorCommand} notifications add webhook --name "On call" --tools 'shop.orders.*'
  $ pass show slack-webhook | ${executorCommand} notifications add slack --url-stdin
`
