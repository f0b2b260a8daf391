// `executor tokens create`: makes a token for an agent or a person, and shows it once.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { InvalidArgumentError } from "commander"
import { elicitationModes } from "../../../../core/token.ts"
import type { ElicitationMode } from "../../../../core/token.ts"
import type { PrincipalKind } from "../../../../core/principal.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseList, parseTime } from "../../option-parse.ts"
import { shortTime } from "../../print/page.ts"
import { notePatterns } from "../../print/pattern-notes.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { askChoice } from "../../prompt/prompt.ts"
import { UsageError } from "../../usage-error.ts"

type CreateOptions = {
  readonly agent?: boolean
  readonly human?: boolean
  readonly name?: string
  readonly elicitation?: ElicitationMode[]
  readonly pattern?: string[]
  readonly expires?: string
  readonly user?: string
  readonly debug?: boolean
}

export function configure(command: Command): void {
  command
    .description(
      "Create a token for an agent or for a human. An agent's token calls tools, and never approves or administers; a human's token can do both.",
    )
    .option("--agent", "For an agent: it can call tools, and a human answers its approvals.")
    .option("--human", "For yourself: whoever has it can do all that you can, such as approve calls and change settings.")
    .option("--name <name>", "A description.")
    .option("--elicitation <modes>", `How its approvals may reach a human: ${elicitationModes.join(", ")} (default browser).`, parseModes)
    .option("--pattern <patterns>", "Only the tools that these match, separated by commas, e.g. 'github.issues.*'. For agents.", parseList)
    .option("--expires <time>", "When it ends, e.g. 2027-01-31.", parseTime)
    .option("--user <id>", "A service account; for admins.")
    .option("--debug", "Let the agent run drafts and working copies of registry tools, as long as you have the right registry.write.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} tokens create --agent --name claude\n  $ ${executorCommand} tokens create --agent --elicitation browser,native\n`,
    )
  actWithExecutor<[], CreateOptions>(command, async (_args, options, context) => {
    const kind = await kindOf(options, context)
    const name = options.name ?? `${kind} ${new Date().toISOString().slice(0, 10)}`
    const made = await context.api.tokens.create({
      name,
      kind,
      ...omitUndefined({
        elicitation: options.elicitation,
        patterns: options.pattern,
        expiresAt: options.expires,
        user: options.user,
        debug: options.debug,
      }),
    })
    context.print({ ...made, kind, name }, () => made.token)
    if (context.printsJson) return
    const { pattern, expires } = options
    const limits = `${pattern === undefined ? "" : ` It sees only ${pattern.join(", ")}.`}${expires === undefined ? "" : ` It ends ${shortTime(new Date(expires).toISOString())} UTC.`}`
    context.screen.note(
      `${powers[kind]}${safeLine(limits)} The token is not shown again. Revoke it with ${executorCommand} tokens revoke ${made.id}`,
    )
    await notePatterns(pattern ?? [], context)
  })
}

const powers: Record<PrincipalKind, string> = {
  agent: "An agent's token: it can call tools, and never approves or administers.",
  human: "A human's token: whoever has it can do all that you can, such as approve calls and change settings. Never give it to an agent.",
}

/** Never a human's by leaving something out. */
async function kindOf({ agent, human }: CreateOptions, context: ExecutorCommandContext): Promise<PrincipalKind> {
  if (agent === true && human === true) throw new UsageError("Give --agent or --human, not both")
  if (agent === true) return "agent"
  if (human === true) return "human"
  return askChoice<PrincipalKind>(
    { message: "Who is it for?", flag: "--agent, or --human for a token that can approve calls and change what you can" },
    [
      { value: "agent", label: "An agent", hint: "calls tools; a human answers its approvals" },
      { value: "human", label: "A human", hint: "approves calls and changes what you can" },
    ],
    context.screen,
  )
}

function parseModes(text: string, before?: string[]): ElicitationMode[] {
  return parseList(text, before).map((mode) => {
    const known = elicitationModes.find((one) => one === mode)
    if (known === undefined) throw new InvalidArgumentError(`It must be one or more of ${elicitationModes.join(", ")}.`)
    return known
  })
}
