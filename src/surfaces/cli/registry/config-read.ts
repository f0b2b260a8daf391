// Reads the implementation config of a registry tool from the options of its type; secrets are asked for, never typed as words.
import { isRecord } from "../../../core/json/record.ts"
import { isHarmlessHeader } from "../../../core/secret-variable.ts"
import { readAuthValues } from "../connections/auth-values.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { readInput, readJsonObject } from "../prompt/input-read.ts"
import { UsageError } from "../usage-error.ts"
import type { DefinitionOptions } from "./definition-options.ts"
import { findCredential } from "./find.ts"

type Config = Readonly<Record<string, unknown>>

/** `before`: what the options change; stored secrets stand there as `***`, which keeps them. Null where they change nothing. */
export async function readConfig(
  type: string,
  options: DefinitionOptions,
  before: Config | null,
  context: ExecutorCommandContext,
): Promise<Config | null> {
  const given = options.config === undefined ? null : await readJsonObject(options.config, "--config")
  if (given !== null && !/^[@-]/.test(options.config ?? "")) refuseSecrets(given)
  const named = await namedFields(type, options, context)
  const secrets = await readSecrets(options, context)
  if (given === null && Object.keys(named).length === 0 && secrets === null) return null
  const start = given ?? before ?? {}
  const headers = { ...otherHeaders(start, secrets?.headers ?? {}), ...secrets?.headers }
  return {
    ...start,
    ...named,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...omitUndefined({ api_key: secrets?.apiKey }),
  }
}

/** The name of a header is the same in any case. */
function otherHeaders({ headers }: Config, given: Readonly<Record<string, string>>): Record<string, unknown> {
  const before = Object.entries(isRecord(headers) ? headers : {})
  return Object.fromEntries(before.filter(([name]) => !Object.hasOwn(given, name.toLowerCase())))
}

async function namedFields(type: string, options: DefinitionOptions, { api }: ExecutorCommandContext): Promise<Config> {
  const { url, method, mcpTool, uses, builtin, credential, pipeline, agent } = options
  return omitUndefined({
    method: method?.toUpperCase(),
    [type === "mcp" ? "server_url" : "url"]: url,
    tool_name: mcpTool,
    function_name: options.function,
    code: options.code === undefined ? undefined : await readCode(options.code),
    uses,
    builtin,
    credentials_ref: credential === undefined ? undefined : (await findCredential(credential, api)).id,
    pipeline_id: pipeline,
    [agent?.startsWith("agt_") === true ? "target_agent_id" : "target_agent_slug"]: agent,
  })
}

export async function readCode(word: string): Promise<string> {
  const code = await readInput(word, "--code")
  if (code.trim() === "") throw new UsageError("--code is empty: pass the code itself, @file, or - for stdin")
  return code
}

type Secrets = { readonly headers: Record<string, string>; readonly apiKey?: string }

/** `name` is filled whole, `name=Bearer ${token}` where the braces stand. */
async function readSecrets(options: DefinitionOptions, { screen }: ExecutorCommandContext): Promise<Secrets | null> {
  const templates = new Map((options.header ?? []).map(readHeader))
  const names = [...templates.values()].flatMap((template) => placesIn(template))
  const wanted = [...new Set([...names, ...(options.apiKey === true ? ["api_key"] : [])])]
  const sources = { env: options.env ?? [], secretStdin: options.secretStdin === true }
  if (wanted.length === 0 && (sources.secretStdin || sources.env.length > 0))
    throw new UsageError("--secret-stdin and --env bring the value of a --header or of --api-key, and neither was given")
  if (templates.size === 0 && wanted.length === 0) return null
  const values = await readAuthValues(wanted, sources, screen)
  const fill = (template: string): string => template.replaceAll(place, (_, name: string) => values[name] ?? "")
  const headers = Object.fromEntries([...templates].map(([name, template]) => [name, fill(template)]))
  return { headers, ...omitUndefined({ apiKey: options.apiKey === true ? values["api_key"] : undefined }) }
}

const place = /\$\{([A-Za-z_][\w-]*)\}/g
const placesIn = (template: string): string[] => [...template.matchAll(place)].map(([, name = ""]) => name)

function readHeader(text: string): [string, string] {
  const at = text.search(/[=:]/)
  const name = (at === -1 ? text : text.slice(0, at)).trim().toLowerCase()
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UsageError(`--header takes the name of a header, not '${text}'`)
  if (at === -1) return [name, `\${${name}}`]
  const value = text.slice(at + 1).trim()
  if (placesIn(value).length === 0 && !isHarmlessHeader(name))
    throw new UsageError(
      `--header ${name}: other users of this machine can read what you type here, so leave out the value and you are asked for it; to write a part of it, use '${name}=Bearer \${token}'`,
    )
  return [name, value]
}

/** As `--header` does, for JSON that is typed as a word. */
function refuseSecrets(config: Config): void {
  const { headers } = config
  const header = Object.entries(isRecord(headers) ? headers : {}).find(([name, value]) => !isHarmlessHeader(name) && !isHidden(value))
  const field = Object.entries(config).find(([name, value]) => /key|token|secret|password|authorization/i.test(name) && !isHidden(value))
  if (header === undefined && field === undefined) return
  const [name = ""] = header ?? field ?? []
  throw new UsageError(
    `--config: other users of this machine can read the value of '${name}' there. Leave it out and pass ${header === undefined ? "--api-key" : `--header ${name}`}, or put the config into a file: --config @file.json`,
  )
}

const isHidden = (value: unknown): boolean => typeof value !== "string" || value === "***" || value.startsWith("${env:")
