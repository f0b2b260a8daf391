// `executor access explain`: says why somebody can or cannot call a tool, and what would change it.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { AccessExplanation } from "../../../../core/people/access-explanation.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { readExplained } from "../../arguments/explained.ts"
import { exitCodes } from "../../exit-code.ts"
import { collect } from "../../option-parse.ts"

export function configure(command: Command): void {
  command
    .description(
      "Show why somebody can or cannot call a tool: role, lifecycle, policy, pin, connection. No call is made. Exits with code 5 if it would be refused.",
    )
    .argument("<user>", "The id of a user, or of a token (tok_…).")
    .argument("<words...>", `The tool's path, then its arguments, as for ${executorCommand} call.`)
    .option("-a, --arg <key=value>", "An argument of the call.", collect)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} access explain anna github.issues.create\n  $ ${executorCommand} access explain anna shop.orders.create quantity=5\n`,
    )
  actWithExecutor<[string, string[]], { readonly arg?: string[] }>(command, async ([who, words], { arg = [] }, context) => {
    const { path, args } = await readExplained(words, arg, context.api)
    const whom = who.startsWith("tok_") ? { token: who } : { user: who }
    const explanation = await context.api.access.explain({ ...whom, address: path, ...(args === null ? {} : { args }) })
    context.print(explanation, () => explanationText(explanation))
    return explanation.outcome === "refused" ? exitCodes.denied : exitCodes.done
  })
}

const outcomes: Record<AccessExplanation["outcome"], string> = { allowed: "allowed", needs_approval: "needs approval", refused: "refused" }
const marks = { passes: "passes", asks: "asks  ", stops: "stops " } as const

const explanationText = ({ user, address, outcome, steps }: AccessExplanation): string =>
  [
    safeLine(`${address} for ${user}: ${outcomes[outcome]}`),
    ...steps.flatMap(({ stage, outcome: did, message, change }) => [
      safeLine(`  ${stage.padEnd(10)}  ${marks[did]}  ${message}`),
      ...(change === undefined ? [] : [safeLine(`              → ${change}`)]),
    ]),
  ].join("\n")
