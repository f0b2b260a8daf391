// `executor integrations update`: changes an integration's name, its config or the document it is made of.
import type { Command } from "commander"
import { executorCommand } from "../../../io/executor-command.ts"
import type { IntegrationUpdate } from "../../../core/integration.ts"
import { actWithExecutor } from "../command-action.ts"
import type { ExecutorDesk } from "../command-action.ts"
import { given } from "../given.ts"
import { readJsonObject } from "../input-read.ts"
import { documentConfig, isUrl, readDocument, urlConfig } from "../integration-source.ts"
import { parseList } from "../option-parse.ts"
import { withProgress } from "../progress.ts"
import { counted } from "../text-count.ts"
import { UsageError } from "../usage-error.ts"
import { printWarnings } from "../warnings-print.ts"

type UpdateOptions = {
  readonly name?: string
  readonly description?: string
  readonly baseUrl?: string
  readonly endpoint?: string
  readonly include?: string[]
  readonly exclude?: string[]
  readonly document?: string
  readonly config?: string
}

export function configure(command: Command): void {
  command
    .description(
      "Change an integration. Options you leave out keep their values. Its connections reload their tools when they are next used.",
    )
    .argument("<slug>", "Which one.")
    .option("--name <name>", "A display name.")
    .option("--description <text>", "A description.")
    .option("--base-url <url>", "The URL for calls, instead of the server in the OpenAPI document.")
    .option("--endpoint <url>", "The endpoint for calls of a GraphQL schema.")
    .option("--include <patterns>", "Only these tools, e.g. 'repos.*,issues.*'.", parseList)
    .option("--exclude <patterns>", "Exclude these tools.", parseList)
    .option("--document <url-or-file>", "A replacement document, schema or MCP server.")
    .option("--config <json>", "Additional config for this kind: JSON, @file, or - for stdin; null removes a field.")
    .addHelpText("after", examples)
  actWithExecutor<[string], UpdateOptions>(command, ([slug], options, desk) => update(slug, options, desk))
}

const examples = `
Examples:
  $ ${executorCommand} integrations update shop --base-url https://shop.example.com
  $ ${executorCommand} integrations update shop --document ./openapi.yaml
  $ ${executorCommand} integrations update github --include 'repos.*,issues.*'
`

async function update(slug: string, options: UpdateOptions, desk: ExecutorDesk): Promise<void> {
  const { api, screen } = desk
  const { name, description, baseUrl, endpoint, include, exclude, document } = options
  const extra = options.config === undefined ? {} : await readJsonObject(options.config, "--config")
  const { kind } = await api.integrations.get(slug)
  const config = {
    ...given({ baseUrl, endpoint, include, exclude }),
    ...(document === undefined ? {} : await readNew(document, kind)),
    ...extra,
  }
  const change: IntegrationUpdate = { ...given({ name, description }), ...(Object.keys(config).length === 0 ? {} : { config }) }
  if (Object.keys(change).length === 0) throw new UsageError("Specify a change, e.g. --base-url, --document or --name")
  const after = await withProgress(`Updating ${slug}`, screen, () => api.integrations.update(slug, change))
  desk.print(after, () => `Updated ${slug} (${after.kind}): ${counted(after.facts.toolCount, "tool")}`)
  if (!desk.printsJson) printWarnings(after, screen)
}

const readNew = async (target: string, kind: string): Promise<Record<string, unknown>> =>
  isUrl(target) ? urlConfig(kind, target) : documentConfig(kind, await readDocument(target))
