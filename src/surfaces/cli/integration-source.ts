// What `integrations add` is pointed at, as the integration that it becomes.
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { basename, delimiter, isAbsolute, join } from "node:path"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { IntegrationAdd } from "../../core/integration.ts"
import { suggestSlug } from "../../core/text/slug-suggest.ts"
import type { SlugClues } from "../../core/text/slug-suggest.ts"
import { kindOfDocument } from "../../core/text/document-kind.ts"
import { omitUndefined } from "./omit-undefined.ts"
import { readInput } from "./prompt/input-read.ts"
import { UsageError } from "./usage-error.ts"

export type SourceOptions = {
  readonly slug?: string
  readonly kind?: string
  readonly name?: string
  readonly description?: string
  /** Added to what was found, and wins. */
  readonly config: Readonly<Record<string, unknown>>
}

/** `words`: a URL, a file, or a program with its arguments. */
export async function readIntegrationSource(words: readonly string[], options: SourceOptions, api: ExecutorApi): Promise<IntegrationAdd> {
  const { slug, kind, name, description, config } = options
  const extra = omitUndefined({ name, description })
  const [target] = words
  if (target === undefined) {
    if (kind === undefined || slug === undefined)
      throw new UsageError(
        "Specify what to add: a preset such as github, a URL, a file, or a command after `--`; or --kind, --slug and --config",
      )
    return { slug, kind, config, ...extra }
  }
  if (isProgram(words, kind)) return { ...programSource(words, options), ...extra }
  if (isUrl(target)) return { ...(await readUrl(target, options, api)), ...extra }
  const text = await readDocument(target)
  const found = kind ?? kindOfDocument(target, text)
  if (found === "graphql" && config["endpoint"] === undefined)
    throw new UsageError("A GraphQL schema does not name its endpoint; pass --endpoint <url>")
  const source = { kind: found, config: { ...documentConfig(found, text), ...config } }
  return { slug: slug ?? suggestSlug(await cluesOf(source, basename(target), api)), ...source, ...extra }
}

export const isUrl = (target: string): boolean => /^https?:\/\//i.test(target)

/** What is no document and no address, or has arguments. */
function isProgram([target = "", ...args]: readonly string[], kind: string | undefined): boolean {
  if (args.length > 0) return true
  if (kind !== undefined) return kind === "mcp" && target !== "-" && !isUrl(target)
  return !/\.(?:json|ya?ml|graphqls?|gql|txt)$/i.test(target) && isExecutable(target)
}

/** A file that can be run, or a name that the search path knows. */
export function isExecutable(target: string): boolean {
  const places =
    /[/\\]/.test(target) || existsSync(target) ? [target] : (process.env["PATH"] ?? "").split(delimiter).map((dir) => join(dir, target))
  return places.some((path) => {
    try {
      accessSync(path, constants.X_OK)
      return statSync(path).isFile()
    } catch {
      return false
    }
  })
}

function programSource([command = "", ...args]: readonly string[], { slug, config }: SourceOptions): IntegrationAdd {
  const script = args.find((arg) => scriptEnding.test(arg))
  const named = script?.replace(scriptEnding, "") ?? args.findLast((arg) => /^@?[a-z][\w./-]*$/i.test(arg)) ?? command
  // Programs run in the home directory: a file that is named from here is only found from here.
  const place = [command, ...args].some((word) => !isAbsolute(word) && /[./]/.test(word) && existsSync(word)) ? { cwd: process.cwd() } : {}
  return {
    slug: slug ?? suggestSlug({ title: "", origins: [], fallback: basename(named) }),
    kind: "mcp",
    config: { transport: "stdio", command, args, ...place, ...config },
  }
}

const scriptEnding = /\.(?:[cm]?[jt]s|py|rb|sh)$/i

/** From a file, or from stdin. */
export async function readDocument(target: string): Promise<string> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(target)?.[1]
  if (scheme !== undefined) throw new UsageError(`'${target}' cannot be read; pass an http or https URL, or the path of a file`)
  const isFile = target === "-" || target.startsWith("@") || existsSync(target)
  // `localhost:3000` and `api.example.com/openapi.json` are addresses to whoever types them.
  if (
    !isFile &&
    /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}|\d+(?:\.\d+){3})(?::\d+)?(?:\/\S*)?$/i.test(target) &&
    !/\.(?:json|ya?ml|graphqls?|gql)$/i.test(target.split("/")[0] ?? "")
  )
    throw new UsageError(
      `There is no file '${target}'. Did you mean ${/^(?:localhost|127\.|\d)/.test(target) ? "http" : "https"}://${target}?`,
    )
  return readInput(target === "-" || target.startsWith("@") ? target : `@${target}`, "The document")
}

/** A kind that was named is not looked for. */
async function readUrl(url: string, { slug, kind, config }: SourceOptions, api: ExecutorApi): Promise<IntegrationAdd> {
  if (kind !== undefined)
    return {
      slug: slug ?? suggestSlug({ title: "", origins: [url], fallback: new URL(url).hostname }),
      kind,
      config: { ...urlConfig(kind, url), ...config },
    }
  const found = await api.integrations.detect(url)
  return { slug: slug ?? found.slug, kind: found.kind, name: found.name, config: { ...found.config, ...config } }
}

export function urlConfig(kind: string, url: string): Record<string, unknown> {
  if (kind === "graphql") return { endpoint: url }
  return kind === "mcp" ? { transport: "http", url } : { spec: url }
}

export const documentConfig = (kind: string, text: string): Record<string, unknown> => (kind === "graphql" ? { sdl: text } : { spec: text })

async function cluesOf(source: { kind: string; config: unknown }, fallback: string, api: ExecutorApi): Promise<SlugClues> {
  const { title, origins } = (await api.integrations.preview(source)).facts
  return { title, origins, fallback }
}
