// `executor integrations add`: adds an API to the catalog, and connects it where that needs no credentials.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import type { ConnectionView } from "../../../core/connection.ts"
import type { IntegrationView } from "../../../core/integration.ts"
import { actWithExecutor } from "../command-action.ts"
import type { ExecutorDesk } from "../command-action.ts"
import { connectedText, troubleText } from "../connection-key.ts"
import { exitCodes } from "../exit-code.ts"
import type { ExitCode } from "../exit-code.ts"
import { given } from "../given.ts"
import { readJsonObject } from "../input-read.ts"
import { readSource } from "../integration-source.ts"
import { orNameTaken } from "../name-taken.ts"
import { parseList } from "../option-parse.ts"
import { withProgress } from "../progress.ts"
import { counted } from "../text-count.ts"
import { safeLine } from "../text-safe.ts"

type AddOptions = {
  readonly slug?: string
  readonly kind?: string
  readonly name?: string
  readonly description?: string
  readonly baseUrl?: string
  readonly endpoint?: string
  readonly include?: string[]
  readonly exclude?: string[]
  readonly config?: string
  readonly connect: boolean
}

export function configure(command: Command): void {
  command
    .description(
      "Add an API to the catalog. What is at a URL is found out; a file is read here and sent. It is connected at once where no credentials are needed.",
    )
    .argument("[url-or-file]", "A URL, a file, or `-` for stdin.")
    .option("--slug <slug>", "What its tools' paths begin with; by default from its title.")
    .option("--kind <kind>", "openapi, graphql or mcp; by default what is found there.")
    .option("--name <name>", "Its name for people.")
    .option("--description <text>", "What it is for.")
    .option("--base-url <url>", "Where an OpenAPI document's calls go, instead of what it says.")
    .option("--endpoint <url>", "Where the calls of a GraphQL schema go that comes from a file.")
    .option("--include <patterns>", "Only these tools, e.g. 'repos.*,issues.*'.", parseList)
    .option("--exclude <patterns>", "Not these tools.", parseList)
    .option("--config <json>", "More of the kind's config: JSON, @file, or - for stdin.")
    .option("--no-connect", "Do not connect it.")
    .addHelpText("after", examples)
  actWithExecutor<[string | undefined], AddOptions>(command, ([target], options, desk) => add(target, options, desk))
}

const examples = `
Examples:
  $ ${executorCommand} integrations add https://api.example.com/openapi.json
  $ ${executorCommand} integrations add ./openapi.yaml --slug shop --base-url https://shop.example.com
  $ ${executorCommand} integrations add https://mcp.example.com/mcp --kind mcp --slug notes
  $ ${executorCommand} integrations add --kind mcp --slug files --config '{"transport":"stdio","command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","."]}'
`

async function add(target: string | undefined, options: AddOptions, desk: ExecutorDesk): Promise<ExitCode> {
  const { api, screen } = desk
  const { slug, kind, name, description, baseUrl, endpoint, include, exclude } = options
  const extra = options.config === undefined ? {} : await readJsonObject(options.config, "--config")
  const config = { ...given({ baseUrl, endpoint, include, exclude }), ...extra }
  const integration = await withProgress(`Adding ${safeLine(target ?? slug ?? "")}`, screen, async () => {
    const source = await readSource(target, { ...given({ slug, kind, name, description }), config }, api)
    const find = (): Promise<IntegrationView> => api.integrations.get(source.slug)
    const taken = { what: `an integration '${source.slug}'`, option: "--slug", remove: `integrations remove ${source.slug}`, find } as const
    return orNameTaken(taken, () => api.integrations.add(source))
  })
  const connection = options.connect && needsNoCredentials(integration) ? await connect(integration, desk) : null
  desk.print({ ...integration, connection }, () => addedText(integration, connection))
  if (!desk.printsJson) screen.note(nextStep(integration, connection))
  return connection === null || connection.status === "ready" ? exitCodes.done : exitCodes.failed
}

const needsNoCredentials = ({ facts }: IntegrationView): boolean =>
  facts.auth.length === 0 || facts.auth.some((one) => one.template === "none")

const connect = ({ slug }: IntegrationView, { api, screen }: ExecutorDesk): Promise<ConnectionView> =>
  withProgress(`Connecting ${slug}`, screen, () => api.connections.create({ integration: slug, auth: { template: "none" } }))

function addedText({ slug, kind, facts }: IntegrationView, connection: ConnectionView | null): string {
  if (connection !== null && connection.status !== "ready") return `Added ${slug} (${kind}), but ${troubleText(connection)}`
  // The tools of the others are read through a connection, and not known before.
  const tools = kind === "openapi" || facts.toolCount > 0 ? [counted(facts.toolCount, "tool")] : []
  const warnings =
    facts.warnings.length === 0 ? [] : [`${counted(facts.warnings.length, "warning")} (${executorCommand} integrations show ${slug})`]
  const known = [...tools, ...warnings].join(", ")
  const added = `Added ${slug} (${kind})${known === "" ? "" : `: ${known}`}`
  return connection === null ? added : `${added}\n${connectedText(connection)}`
}

function nextStep({ slug, facts }: IntegrationView, connection: ConnectionView | null): string {
  if (connection !== null && connection.status !== "ready")
    return [
      `When that is mended: ${executorCommand} connections refresh ${slug}`,
      `Or add it again, otherwise: ${executorCommand} integrations remove ${slug}`,
    ].join("\n")
  if (connection !== null) return `See what it can do: ${executorCommand} call --help ${slug}`
  const [first] = facts.auth
  return `Connect it: ${executorCommand} connections add ${slug}${first === undefined ? "" : ` --auth ${first.template}`}`
}
