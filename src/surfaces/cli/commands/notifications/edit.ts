// `executor notifications edit`: changes a notification.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addNotificationOptions, readUrl } from "../../notifications/options.ts"
import type { NotificationOptions } from "../../notifications/options.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { UsageError } from "../../usage-error.ts"

type Options = NotificationOptions & {
  readonly name?: string
  readonly url?: boolean
  readonly enable?: boolean
  readonly disable?: boolean
  readonly rotateSecret?: boolean
}

export function configure(command: Command): void {
  command
    .description("Change a notification: what it tells, where, and whether it does. For admins.")
    .argument("<notification>", `The id, as shown by ${executorCommand} notifications list.`)
    .option("--name <name>", "What people call it.")
  addNotificationOptions(command)
    .option("--no-arguments", "Do not tell the arguments.")
    .option("--url", "Ask for another address.")
    .option("--enable", "Switch it on.")
    .option("--disable", "Switch it off.")
    .option("--rotate-secret", "Make another signing secret, and show it once.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} notifications edit ntf_0mw2 --disable\n  $ ${executorCommand} notifications edit ntf_0mw2 --tools '*'\n`,
    )
  actWithExecutor<[string], Options>(command, async ([id], options, context) => {
    if (options.enable === true && options.disable === true) throw new UsageError("--enable and --disable exclude each other")
    const { name, tools: patterns, arguments: includeArguments, rotateSecret } = options
    const enabled = options.enable === true ? true : options.disable === true ? false : undefined
    const url = options.url === true || options.urlStdin === true ? await readUrl(options, context.screen) : undefined
    const change = omitUndefined({ name, patterns, includeArguments, enabled, url, rotateSecret })
    if (Object.keys(change).length === 0)
      throw new UsageError("Nothing to change: give --name, --tools, --arguments, --url, --enable, --disable or --rotate-secret")
    const changed = await context.api.notifications.update(id, change)
    context.print(changed, () => `Changed ${safeLine(changed.name)}`)
    if (!context.printsJson && changed.signingSecret !== null)
      context.screen.note(`Its messages are signed with this secret, which is not shown again: ${safeLine(changed.signingSecret)}`)
  })
}
