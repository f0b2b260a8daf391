// `executor integrations update`: changes an integration's name, its config or the document it is made of.
import type { Command } from "commander"
import { executorCommand } from "../../../../io/executor-command.ts"
import type { IntegrationUpdate } from "../../../../core/integration.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addIntegrationOptions, readIntegrationConfig } from "../../integration-options.ts"
import type { IntegrationOptions } from "../../integration-options.ts"
import { documentConfig, isUrl, readDocument, urlConfig } from "../../integration-source.ts"
import { withProgress } from "../../print/progress.ts"
import { counted } from "../../print/count.ts"
import { UsageError } from "../../usage-error.ts"
import { printWarnings } from "../../print/warnings.ts"

type UpdateOptions = IntegrationOptions & { readonly document?: string }

export function configure(command: Command): void {
  command
    .description(
      "Change an integration. Options you leave out keep their values, and null in --config removes a field. Its connections reload their tools when they are next used.",
    )
    .argument("<slug>", "The integration's slug.")
  addIntegrationOptions(command)
    .option("--document <url-or-file>", "A replacement document, schema or MCP server.")
    .addHelpText("after", examples)
  actWithExecutor<[string], UpdateOptions>(command, ([slug], options, context) => update(slug, options, context))
}

const examples = `
Examples:
  $ ${executorCommand} integrations update shop --base-url https://shop.example.com
  $ ${executorCommand} integrations update shop --document ./openapi.yaml
  $ ${executorCommand} integrations update github --include 'repos.*,issues.*'
`

async function update(slug: string, options: UpdateOptions, context: ExecutorCommandContext): Promise<void> {
  const { api, screen } = context
  const { name, description, document } = options
  const { kind } = await api.integrations.get(slug)
  const config = { ...(document === undefined ? {} : await readNew(document, kind)), ...(await readIntegrationConfig(options)) }
  const change: IntegrationUpdate = { ...omitUndefined({ name, description }), ...(Object.keys(config).length === 0 ? {} : { config }) }
  if (Object.keys(change).length === 0) throw new UsageError("Specify a change, e.g. --base-url, --document or --name")
  const after = await withProgress(`Updating ${slug}`, screen, () => api.integrations.update(slug, change))
  context.print(after, () => `Updated ${slug} (${after.kind}): ${counted(after.facts.toolCount, "tool")}`)
  if (!context.printsJson) printWarnings(after, screen)
}

const readNew = async (target: string, kind: string): Promise<Record<string, unknown>> =>
  isUrl(target) ? urlConfig(kind, target) : documentConfig(kind, await readDocument(target))
