// `executor access explain`: says why somebody can or cannot call a tool, and what would change it.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { AccessExplanation } from "../../../../core/people/access-explanation.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { readJsonObject } from "../../prompt/input-read.ts"

export function configure(command: Command): void {
  command
    .description("Show why somebody can or cannot call a tool: role, lifecycle, policy, pin, connection. No call is made.")
    .argument("<user>", "The id of a user, or of a token (tok_…).")
    .argument("<path>", "The tool's path.")
    .argument("[args]", "The arguments of the call: JSON, @file, or - for stdin.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} access explain anna github.issues.create\n`)
  actWithExecutor<[string, string, string | undefined], object>(command, async ([who, address, given], _options, context) => {
    const args = given === undefined ? {} : { args: await readJsonObject(given, "The arguments") }
    const whom = who.startsWith("tok_") ? { token: who } : { user: who }
    const explanation = await context.api.access.explain({ ...whom, address, ...args })
    context.print(explanation, () => explanationText(explanation))
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
