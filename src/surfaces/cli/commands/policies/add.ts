// `executor policies add`: adds a rule that allows calls, lets them ask first, or blocks them.
import { executorCommand } from "../../../../io/executor-command.ts"
import { Argument } from "commander"
import type { Command } from "commander"
import type { Owner } from "../../../../core/address.ts"
import { policyActions } from "../../../../core/policy.ts"
import type { PolicyAction } from "../../../../core/policy.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { collect, parseOwner, parsePosition } from "../../option-parse.ts"
import { limitsText, parseCondition } from "../../policy-condition.ts"
import { safeLine } from "../../../../core/text/safe.ts"

type AddOptions = {
  readonly owner?: Owner
  readonly when?: string[]
  readonly position?: number
  readonly role?: string
  readonly byRole?: string
  readonly notRequester?: true
}

export function configure(command: Command): void {
  command
    .description(
      "Add a rule. `*` matches one segment or part of one, `**` any number of segments. The rule is placed below more specific rules.",
    )
    .argument("<pattern>", "The tools it applies to, e.g. 'github.**', 'github.repos.delete' or '*.*.*.repos.delete'.")
    .addArgument(new Argument("<action>", "What happens to a matching call.").choices(policyActions))
    .option(
      "--when <condition>",
      "Only if an argument matches, e.g. 'amount gte 100'. Repeat for more conditions; all of them must hold.",
      collect,
    )
    .option("--owner <owner>", "org: for everyone (default); user: for yourself.", parseOwner)
    .option("--role <role>", "Only for people who hold this role, and their agents.")
    .option("--by-role <role>", "With require_approval: only somebody with this role may approve.")
    .option("--not-requester", "With require_approval: nobody may approve their own calls, or those of a token that they made.")
    .option("--position <number>", "The rule's position: lower ones are asked first. By default below more specific rules.", parsePosition)
    .addHelpText("after", examples)
  actWithExecutor<[string, PolicyAction], AddOptions>(command, async ([pattern, action], options, context) => {
    const { owner, when, position, role, byRole, notRequester } = options
    const conditions = (when ?? []).map(parseCondition)
    const rule = await context.api.policies.create({
      owner: owner ?? "org",
      pattern,
      action,
      ...(conditions.length === 0 ? {} : { when: conditions }),
      ...omitUndefined({ position, role }),
      ...(byRole === undefined && notRequester === undefined ? {} : { by: omitUndefined({ role: byRole, notRequester }) }),
    })
    if (rule.warning !== undefined) context.screen.note(safeLine(rule.warning))
    context.print(rule, () => `Added ${rule.id}: ${safeLine(`${rule.action} ${rule.pattern}${limitsText(rule)}`)}`)
  })
}

const examples = `
Examples:
  $ ${executorCommand} policies add 'github.**' require_approval
  $ ${executorCommand} policies add 'github.*.*.issues.create' allow --when 'owner eq acme'
  $ ${executorCommand} policies add '**.delete*' block
  $ ${executorCommand} policies add 'stripe.refunds.*' require_approval --by-role finance --not-requester
`
