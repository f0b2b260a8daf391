// `executor policies explain`: says what a call would meet, which rule decides it, and which rules that one beat.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { ExecutorError } from "../../../../core/errors.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import type { ToolSchemaView } from "../../../../core/tool.ts"
import type { PolicyExplanation, PolicyRule } from "../../../../core/policy.ts"
import { convertArgs } from "../../arguments/convert.ts"
import { splitCallWords } from "../../arguments/words.ts"
import { actWithExecutor } from "../../command-action.ts"
import { decisionText } from "../../print/decision-text.ts"
import { readJsonObject } from "../../prompt/input-read.ts"
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
    const { path, input, pairs } = splitCallWords(words)
    const named = [...pairs, ...(options.arg ?? [])]
    const converted = named.length === 0 ? {} : convertArgs(named, await schemaIfShown(path, context.api))
    const args = { ...(input === null ? {} : await readJsonObject(input, "The arguments")), ...converted }
    const hasArgs = input !== null || named.length > 0
    const explanation = await context.api.policies.explain({ address: path, ...(hasArgs ? { args } : {}) })
    context.print(explanation, () => explanationText(explanation))
  })
}

/** A tool that is blocked shows no schema, and is still to be explained: its arguments are then read as they look. */
const schemaIfShown = (path: string, api: ExecutorApi): Promise<ToolSchemaView | null> =>
  api.tools.schema(path).catch((error: unknown) => {
    if (error instanceof ExecutorError && error.code === "tool_blocked") return null
    throw error
  })

function explanationText({ verdict, conditional, rule, message, beaten }: PolicyExplanation): string {
  return [
    `${decisionText(verdict)}${conditional ? " (may depend on the arguments)" : ""}: ${rule === null ? safeText(message) : ruleText(rule)}`,
    ...beaten.map((one) => `  not ${ruleText(one.rule)}: ${safeLine(one.message)}`),
  ].join("\n")
}

const ruleText = (rule: PolicyRule): string => safeLine(`${rule.id} (${rule.owner}): ${rule.action} ${rule.pattern}${limitsText(rule)}`)
