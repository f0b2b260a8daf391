// `executor policies explain`: says what a call would meet, which rule decides it, and which rules that one beat.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { PolicyExplanation, PolicyRule } from "../../../../core/policy.ts"
import { readExplained } from "../../arguments/explained.ts"
import { actWithExecutor } from "../../command-action.ts"
import { decisionText } from "../../print/decision-text.ts"
import { collect } from "../../option-parse.ts"
import { limitsText } from "../../policy-condition.ts"
import { safeLine, safeText } from "../../../../core/text/safe.ts"

export function configure(command: Command): void {
  command
    .description("Show the decision for a call, the rule that makes it, and the rules it overrides. No call is made.")
    .argument("<words...>", `The tool's path, then its arguments, as for ${executorCommand} call.`)
    .option("-a, --arg <key=value>", "An argument of the call.", collect)
    .addHelpText(
      "after",
      `\nExample:\n  $ ${executorCommand} policies explain github.org.main.repos.delete '{"owner":"acme","repo":"site"}'\n`,
    )
  actWithExecutor<[string[]], { readonly arg?: string[] }>(command, async ([words], options, context) => {
    const { path, args } = await readExplained(words, options.arg ?? [], context.api)
    const explanation = await context.api.policies.explain({ address: path, ...(args === null ? {} : { args }) })
    context.print(explanation, () => explanationText(explanation))
  })
}

function explanationText({ verdict, conditional, rule, message, beaten }: PolicyExplanation): string {
  return [
    `${decisionText(verdict)}${conditional ? " (may depend on the arguments)" : ""}: ${rule === null ? safeText(message) : ruleText(rule)}`,
    ...beaten.map((one) => `  not ${ruleText(one.rule)}: ${safeLine(one.message)}`),
  ].join("\n")
}

const ruleText = (rule: PolicyRule): string => safeLine(`${rule.id} (${rule.owner}): ${rule.action} ${rule.pattern}${limitsText(rule)}`)
