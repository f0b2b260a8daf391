// `executor tokens create`: makes a token for an agent or a person, and shows it once.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { InvalidArgumentError } from "commander"
import { elicitationModes } from "../../../core/token.ts"
import type { ElicitationMode } from "../../../core/token.ts"
import { actWithExecutor } from "../command-action.ts"
import { given } from "../given.ts"
import { parseList } from "../option-parse.ts"

type CreateOptions = { readonly agent?: boolean; readonly name?: string; readonly elicitation?: ElicitationMode[] }

export function configure(command: Command): void {
  command
    .description(
      "Make a token. An agent's can call tools, and never approves or administers; without --agent it is a human's, which can do both.",
    )
    .option("--agent", "For an agent.")
    .option("--name <name>", "A description.")
    .option("--elicitation <modes>", `How its approvals may reach a human: ${elicitationModes.join(", ")} (default browser).`, parseModes)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} tokens create --agent --name claude\n  $ ${executorCommand} tokens create --agent --elicitation browser,native\n`,
    )
  actWithExecutor<[], CreateOptions>(command, async (_args, { agent, name, elicitation }, desk) => {
    const kind = agent === true ? "agent" : "human"
    const made = await desk.api.tokens.create({ name: name ?? `${kind} of the command line`, kind, ...given({ elicitation }) })
    desk.print(made, () => made.token)
    if (!desk.printsJson) desk.screen.note(`The token is not shown again. Revoke it with ${executorCommand} tokens revoke ${made.id}`)
  })
}

function parseModes(text: string, before?: string[]): ElicitationMode[] {
  return parseList(text, before).map((mode) => {
    const known = elicitationModes.find((one) => one === mode)
    if (known === undefined) throw new InvalidArgumentError(`It must be one or more of ${elicitationModes.join(", ")}.`)
    return known
  })
}
