// `executor integrations show`: what one integration is, where it calls, and how it authenticates.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { IntegrationView } from "../../../../core/integration.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { Colors } from "../../print/colors.ts"
import { shortTime } from "../../print/page.ts"
import { safeJson, safeLine, safeText } from "../../../../core/text/safe.ts"

const warningsShown = 20

export function configure(command: Command): void {
  command
    .argument("<slug>", "The integration's slug.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} integrations show github\n`)
  actWithExecutor<[string], object>(command, async ([slug], _options, context) => {
    const integration = await context.api.integrations.get(slug)
    context.print(integration, () => showText(integration, context.screen.out))
  })
}

function showText({ slug, kind, name, description, config, configRevisedAt, facts }: IntegrationView, { bold }: Colors): string {
  const more = facts.warnings.length - warningsShown
  return [
    `${bold(slug)}  ${safeLine(name)} (${kind}${facts.version === "" ? "" : `, version ${safeLine(facts.version)}`})`,
    ...(description.trim() === "" ? [] : [safeText(description)]),
    "",
    `Tools    ${facts.toolCount}`,
    `Calls    ${facts.origins.map((one) => safeLine(one)).join(", ") || "nothing"}`,
    `Auth     ${facts.auth.map((one) => safeLine(`${one.name} (${one.template})`)).join(", ") || "none"}`,
    `Config   ${safeJson(config)}`,
    `Revised  ${shortTime(configRevisedAt)}`,
    ...(facts.warnings.length === 0 ? [] : ["", bold("Warnings")]),
    ...facts.warnings.slice(0, warningsShown).map((one) => `  ${safeLine(one.location)}: ${safeLine(one.message)}`),
    ...(more > 0 ? [`  … and ${more} more; --json has all`] : []),
  ].join("\n")
}
