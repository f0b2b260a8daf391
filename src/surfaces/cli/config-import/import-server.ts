// Adds one server of a client's config to the catalog and connects it; every way this can end is a line of the report.
import { executorCommand } from "../../../io/executor-command.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { IntegrationView } from "../../../core/integration.ts"
import type { ConfigInput } from "./entries.ts"
import type { ImportedServer } from "./parse.ts"
import { fillInputs } from "./reference.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { connectionPath } from "../connections/key.ts"
import { askChoice, askSecret, askText } from "../prompt/prompt.ts"
import type { Screen } from "../print/screen.ts"
import { counted } from "../print/count.ts"

export type ImportLine = {
  readonly name: string
  readonly slug: string | null
  readonly status: "added" | "would add" | "exists" | "skipped" | "failed"
  readonly detail: string
  readonly notes: readonly string[]
}

const numbersMax = 50

export async function importServer(server: ImportedServer, mode: "dry" | "real", context: ExecutorCommandContext): Promise<ImportLine> {
  const line = (status: ImportLine["status"], detail: string, slug: string | null = server.slug): ImportLine => ({
    name: server.name,
    slug,
    status,
    detail,
    notes: server.notes,
  })
  try {
    const place = await findPlace(server, context.api)
    if (place.status === "exists") return line(...(await lookAt(place.slug, context.api)), place.slug)
    if (mode === "dry") return line("would add", describe(server.config), place.slug)
    if (server.inputs.length > 0 && !context.screen.canPrompt) return line("failed", unanswered(server.inputs), null)
    const config = fillInputs(server.config, await askInputs(server.inputs, context.screen))
    await context.api.integrations.add({ slug: place.slug, kind: "mcp", name: server.name, config })
    return line(...(await connect(place.slug, context.api)), place.slug)
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    return line("failed", error.message)
  }
}

type Place = { readonly status: "free" | "exists"; readonly slug: string }

/** A slug that something else has gets a number; the same server is not added twice. */
async function findPlace(server: ImportedServer, api: ExecutorApi): Promise<Place> {
  for (let number = 1; number <= numbersMax; number += 1) {
    const slug = number === 1 ? server.slug : `${server.slug}_${number}`
    const there = await findIntegration(slug, api)
    if (there === null) return { status: "free", slug }
    if (there.kind === "mcp" && identityOf(there.config) === identityOf(server.config)) return { status: "exists", slug }
  }
  throw new ExecutorError("conflict", `All slugs derived from '${server.slug}' are already in use`)
}

async function findIntegration(slug: string, api: ExecutorApi): Promise<IntegrationView | null> {
  try {
    return await api.integrations.get(slug)
  } catch (error) {
    if (error instanceof ExecutorError && error.code === "not_found") return null
    throw error
  }
}

/** What makes it the same server; secrets are masked in what the catalog shows, and left out. */
function identityOf(config: Record<string, unknown>): string {
  const url = typeof config["url"] === "string" ? URL.parse(config["url"]) : null
  return JSON.stringify(url === null ? [config["command"], config["args"] ?? []] : [url.origin, url.pathname])
}

/** Added but not usable is a failure: somebody has to do something. */
async function connect(slug: string, api: ExecutorApi): Promise<["added" | "failed", string]> {
  const { status, toolCount, error } = await api.connections.create({ integration: slug, auth: { template: "none" } })
  if (status === "ready") return ["added", counted(toolCount, "tool")]
  return [
    "failed",
    `The server was added but is not usable yet: ${error ?? status}. Once that is fixed, run: ${executorCommand} connections refresh ${slug}`,
  ]
}

/** What was added before and is not usable is as much of a failure as it was then. */
async function lookAt(slug: string, api: ExecutorApi): Promise<["exists" | "failed", string]> {
  const { items } = await api.connections.list({ integration: slug })
  if (items.some((one) => one.status === "ready")) return ["exists", "Already in the catalog"]
  const [first] = items
  if (first === undefined) return ["failed", `Already added, but not connected: ${executorCommand} connections add ${slug}`]
  return [
    "failed",
    `Already added, but not connected: ${first.error ?? first.status}. Once that is fixed, run: ${executorCommand} connections refresh ${connectionPath(first)}`,
  ]
}

async function askInputs(inputs: readonly ConfigInput[], screen: Screen): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const input of inputs) {
    const question = { message: input.message, flag: "it on a terminal" }
    const answer =
      input.choices !== null
        ? await askChoice(
            question,
            input.choices.map((value) => ({ value, label: value })),
            screen,
          )
        : await (input.isSecret ? askSecret(question, screen) : askText(question, screen))
    answers.set(input.id, answer)
  }
  return answers
}

const unanswered = (inputs: readonly ConfigInput[]): string =>
  `The file prompts for ${inputs.map((input) => `'${input.id}'`).join(", ")}. Run this in a terminal, or replace \${input:…} with \${env:NAME} in the file`

/** Without what may be secret. */
function describe(config: Record<string, unknown>): string {
  const url = typeof config["url"] === "string" ? URL.parse(config["url"]) : null
  if (url !== null) return `${url.origin}${url.pathname}`
  const args = Array.isArray(config["args"]) ? (config["args"] as unknown[]).map(String) : []
  return [String(config["command"]), ...args].join(" ")
}
