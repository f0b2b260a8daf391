// `executor users disable`: ends everything that acts in a user's name, after asking.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { readAll } from "../../connections/unconnected.ts"
import { counted } from "../../print/count.ts"
import { confirmLoss } from "../../prompt/confirm.ts"

export function configure(command: Command): void {
  command
    .description(
      "Disable a user. Their sessions, tokens and running executions end at once, and those of their agents. Tokens and consents do not come back when they are enabled again.",
    )
    .argument("<id>", `The user, as shown by ${executorCommand} users list.`)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} users disable anna\n`)
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([id], options, context) => {
    const { status } = await context.api.users.get(id)
    if (context.screen.canPrompt && options.yes !== true) await confirmLoss(await question(id, context), options, context.screen)
    const user = await context.api.users.update(id, { status: "disabled" })
    context.print(user, () => (status === "disabled" ? `${safeLine(id)} was disabled already` : `Disabled ${safeLine(id)}`))
  })
}

async function question(id: string, { api }: ExecutorCommandContext): Promise<string> {
  const isTheirs = ({ user }: { readonly user: string }): boolean => user === id
  const sessions = (await readAll((page) => api.sessions.list(page))).filter(isTheirs)
  const tokens = (await readAll((page) => api.tokens.list(page))).filter((token) => isTheirs(token) || token.createdBy === id)
  const consents = tokens.filter(({ client }) => client !== null).length
  const ended = `${counted(sessions.length, "session")} and ${counted(tokens.length, "token")}${consents === 0 ? "" : ` (${counted(consents, "consent")} among them)`}`
  return `Disable '${safeLine(id)}'? Their ${ended} end for good, and what their agents run now ends too; enabling them later brings none of it back.`
}
