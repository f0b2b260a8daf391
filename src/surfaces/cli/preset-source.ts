// What a bare word such as `github` means to `integrations add`: the preset of that name.
import { existsSync } from "node:fs"
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { IntegrationAdd } from "../../core/integration.ts"
import { isRecord } from "../../core/json/record.ts"
import type { PresetView } from "../../core/presets/preset.ts"
import { safeLine } from "../../core/text/safe.ts"
import { executorCommand } from "../../io/executor-command.ts"
import { documentConfig, isExecutable, readDocument } from "./integration-source.ts"
import type { SourceOptions } from "./integration-source.ts"
import { UsageError } from "./usage-error.ts"

/** Null: it is a file, a program or an address. A file of the same name is meant by a path, as `./github`. */
export async function findPreset(words: readonly string[], kind: string | undefined, api: ExecutorApi): Promise<PresetView | null> {
  const [word = "", ...others] = words
  if (others.length > 0 || kind !== undefined || !/^[a-z][a-z0-9_-]*$/i.test(word)) return null
  try {
    return await api.presets.get(word)
  } catch (error) {
    if (!(error instanceof ExecutorError) || error.code !== "not_found") throw error
    if (existsSync(word) || isExecutable(word)) return null
    throw new UsageError(
      `There is no preset, file or program '${word}'.${meant(error)} List the presets: ${executorCommand} integrations presets`,
    )
  }
}

function meant({ details }: ExecutorError): string {
  const near = isRecord(details) && Array.isArray(details["near"]) ? details["near"].filter((one) => typeof one === "string") : []
  return near.length === 0 ? "" : ` Did you mean ${near.map(safeLine).join(" or ")}?`
}

/** `file`: the document, where the server cannot reach its usual place. */
export async function presetSource(preset: PresetView, options: SourceOptions & { readonly file?: string }): Promise<IntegrationAdd> {
  const { slug = preset.id, name = preset.name, description = preset.description, file } = options
  if (preset.baseUrl !== null && options.config["baseUrl"] === undefined)
    throw new UsageError(`${preset.name} needs ${preset.baseUrl.description}: add --base-url ${preset.baseUrl.example}`)
  if (file !== undefined && preset.kind === "mcp")
    throw new UsageError(`${preset.name} is a server without a document, so that --file does not apply to it`)
  const document = file === undefined ? {} : documentConfig(preset.kind, await readDocument(file))
  return { slug, kind: preset.kind, name, description, config: { ...preset.config, ...document, ...options.config } }
}

/** The offer to whoever sits behind a network that does not lead there. */
export function orOfferFile(error: unknown, preset: PresetView, file: string | undefined): unknown {
  if (!(error instanceof ExecutorError) || file !== undefined || preset.kind === "mcp") return error
  if (!/could not be (?:fetched|introspected)/.test(error.message)) return error
  const document =
    preset.kind === "graphql"
      ? `Get its schema (SDL, or the answer to an introspection query of ${preset.url})`
      : `Download it from ${preset.url}`
  return new ExecutorError(
    error.code,
    `${error.message}. ${document} where that is possible, then run: ${executorCommand} integrations add ${preset.id} --file <path>`,
    error.details,
  )
}

/** The command that connects it, and where the key comes from. */
export function presetSteps({ auth: [first], docsUrl }: PresetView, slug: string): string {
  if (first === undefined || first.template === "none") return `Connect it: ${executorCommand} connections add ${slug} --auth none`
  const placements = first.placements.map(({ in: place, name, value }) => ` --placement '${place}:${name}=${value}'`).join("")
  const key = first.keyUrl === null ? "" : `\nGet the key: ${first.keyUrl}`
  const note = first.note === "" ? "" : `\n${first.note}`
  return `Connect it: ${executorCommand} connections add ${slug} --auth ${first.template}${placements}${key}${note}\nIts documentation: ${docsUrl}`
}
