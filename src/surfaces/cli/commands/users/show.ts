// `executor users show`: shows one person or service account.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { shortTime } from "../../print/page.ts"

export function configure(command: Command): void {
  command
    .argument("<id>", `The user, as shown by ${executorCommand} users list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} users show anna\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, context) => {
    const user = await context.api.users.get(id)
    const { bold } = context.screen.out
    context.print(user, () =>
      [
        `${bold(safeLine(user.id))}  ${safeLine(user.name)}${user.service ? " (service account)" : ""}`,
        "",
        `Status  ${user.status}`,
        `E-mail  ${safeLine(user.email ?? "none")}`,
        `Roles   ${safeLine(user.roles.map(({ role, from }) => `${role} (${from})`).join(", ") || "none, so that no tool is visible")}`,
        `Seen    ${shortTime(user.lastSeenAt) || "never"}`,
      ].join("\n"),
    )
  })
}
