// `executor integrations add`: adds an API to the catalog, and connects it where that needs no credentials.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { ExecutorError } from "../../../../core/errors.ts"
import type { ConnectionView } from "../../../../core/connection.ts"
import type { IntegrationView } from "../../../../core/integration.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { connectedText, troubleText } from "../../connections/key.ts"
import { exitCodes } from "../../exit-code.ts"
import type { ExitCode } from "../../exit-code.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addIntegrationOptions, readIntegrationConfig } from "../../integration-options.ts"
import type { IntegrationOptions } from "../../integration-options.ts"
import { isUrl, readIntegrationSource } from "../../integration-source.ts"
import { findPreset, orOfferFile, presetSource, presetSteps } from "../../preset-source.ts"
import type { PresetView } from "../../../../core/presets/preset.ts"
import { orInterrupted } from "../../interrupt.ts"
import { orNameTaken } from "../../name-taken.ts"
import { withProgress } from "../../print/progress.ts"
import { counted } from "../../print/count.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { UsageError } from "../../usage-error.ts"
import { printWarnings } from "../../print/warnings.ts"

type AddOptions = IntegrationOptions & { readonly slug?: string; readonly kind?: string; readonly file?: string; readonly connect: boolean }

export function configure(command: Command): void {
  command
    .description(
      "Add an API to the catalog. A bare name such as github is a preset; write ./github for a file of that name. The kind of API behind a URL is detected; a file is read locally and uploaded. If the API needs no credentials, it is connected immediately.",
    )
    .argument("[target...]", "A preset, a URL, a file, or `-` for stdin; or, after `--`, the command that starts an MCP server.")
    .option("--slug <slug>", "The first segment of its tools' paths (default: derived from its host or title).")
    .option("--kind <kind>", "openapi, graphql or mcp (default: detected).")
    .option("--file <path>", "For a preset: its document, where the server cannot download it.")
  addIntegrationOptions(command).option("--no-connect", "Add it without connecting.").addHelpText("after", examples)
  actWithExecutor<[string[]], AddOptions>(command, ([words], options, context) => add(words, options, context))
}

const examples = `
Examples:
  $ ${executorCommand} integrations add github
  $ ${executorCommand} integrations add https://api.example.com/openapi.json
  $ ${executorCommand} integrations add ./openapi.yaml --slug shop --base-url https://shop.example.com
  $ ${executorCommand} integrations add https://mcp.example.com/mcp --kind mcp --slug notes
  $ ${executorCommand} integrations add --slug files -- npx -y @modelcontextprotocol/server-filesystem .
`

async function add(words: readonly string[], options: AddOptions, context: ExecutorCommandContext): Promise<ExitCode> {
  const { api, screen } = context
  const { slug, kind, name, description, file } = options
  const config = await readIntegrationConfig(options)
  const preset = await findPreset(words, kind, api)
  if (preset === null && file !== undefined) throw new UsageError("--file goes with a preset; pass the path of another document as it is")
  const given = { ...omitUndefined({ slug, kind, name, description }), config }
  const label = `Adding ${safeLine(words[0] ?? slug ?? "")}`
  const integration = await orInterrupted(perhapsAdded, screen, () =>
    withProgress(label, screen, async () => {
      const source = await (preset === null
        ? readIntegrationSource(words, given, api)
        : presetSource(preset, { ...given, ...omitUndefined({ file }) }))
      const find = (): Promise<IntegrationView> => api.integrations.get(source.slug)
      const change = `integrations update ${source.slug}`
      return orNameTaken({ what: `an integration '${source.slug}'`, option: "--slug", change, find }, () => api.integrations.add(source))
    }),
  ).catch((error: unknown) => {
    throw preset === null ? aboutFile(error, words) : orOfferFile(error, preset, file)
  })
  const connection = options.connect && needsNoCredentials(integration, preset) ? await connect(integration, context) : null
  context.print({ ...integration, connection }, () => addedText(integration, connection))
  if (!context.printsJson) {
    printWarnings(integration, screen)
    screen.note(preset !== null && connection === null ? presetSteps(preset, integration.slug) : nextStep(integration, connection))
  }
  return connection === null || connection.status === "ready" ? exitCodes.done : exitCodes.failed
}

/** The API speaks of its own fields; here somebody named a file. */
function aboutFile(error: unknown, [target = ""]: readonly string[]): unknown {
  if (!(error instanceof ExecutorError) || isUrl(target) || !error.message.startsWith("config.spec is neither")) return error
  return new UsageError(`'${target}' is neither an OpenAPI document (JSON or YAML) nor a GraphQL schema`)
}

/** What a server says before it is connected may be nothing; a preset knows. */
const needsNoCredentials = ({ facts }: IntegrationView, preset: PresetView | null): boolean =>
  preset !== null ? preset.auth[0]?.template === "none" : facts.auth.length === 0 || facts.auth.some((one) => one.template === "none")

const connect = ({ slug }: IntegrationView, { api, screen }: ExecutorCommandContext): Promise<ConnectionView> =>
  orInterrupted(
    () => `${slug} was added, but it is not connected yet.\n${retryOrRemove(slug)}`,
    screen,
    () => withProgress(`Connecting ${slug}`, screen, () => api.connections.create({ integration: slug, auth: { template: "none" } })),
  )

const perhapsAdded = (): string => `The integration may have been added already. To check, run: ${executorCommand} integrations list`

const retryOrRemove = (slug: string): string =>
  `To try again, run:  ${executorCommand} connections refresh ${slug}\nTo remove it, run:  ${executorCommand} integrations remove ${slug}`

function addedText({ slug, kind, facts }: IntegrationView, connection: ConnectionView | null): string {
  if (connection !== null && connection.status !== "ready") return `Added ${slug} (${kind}), but ${troubleText(connection)}`
  // The tools of the others are read through a connection, and not known before.
  const tools = kind === "openapi" || facts.toolCount > 0 ? [counted(facts.toolCount, "tool")] : []
  const added = [`Added ${slug} (${kind})`, ...tools].join(": ")
  return connection === null ? added : `${added}\n${connectedText(connection)}`
}

function nextStep({ slug, facts }: IntegrationView, connection: ConnectionView | null): string {
  if (connection !== null && connection.status !== "ready") return retryOrRemove(slug)
  if (connection !== null && connection.toolCount === 0)
    return `It has no tools yet. Inspect it with ${executorCommand} integrations show ${slug}, and change it with ${executorCommand} integrations update ${slug}`
  if (connection !== null) return `Explore its tools: ${executorCommand} call --help ${slug}`
  const [first] = facts.auth
  return `Connect it: ${executorCommand} connections add ${slug}${first === undefined ? "" : ` --auth ${first.template}`}`
}
