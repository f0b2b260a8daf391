// The options that say what a registry tool is, and which of them go with which implementation type.
import { Option } from "commander"
import type { Command } from "commander"
import { implementationTypes } from "../../../core/registry/tool.ts"
import type { ImplementationType } from "../../../core/registry/tool.ts"
import { collect, parseDuration, parseList } from "../option-parse.ts"
import { UsageError } from "../usage-error.ts"

export type DefinitionOptions = {
  readonly type?: ImplementationType
  readonly name?: string
  readonly slug?: string
  readonly description?: string
  readonly input?: string
  readonly output?: string
  readonly param?: string[]
  readonly url?: string
  readonly method?: string
  readonly header?: string[]
  readonly mcpTool?: string
  readonly function?: string
  readonly code?: string
  readonly uses?: string[]
  readonly artifact?: string
  readonly artifactVersion?: string
  readonly builtin?: string
  readonly apiKey?: boolean
  readonly credential?: string
  readonly pipeline?: string
  readonly agent?: string
  readonly timeout?: number
  readonly execution?: string
  readonly config?: string
  readonly file?: string
  readonly secretStdin?: boolean
  readonly env?: string[]
}

export const addDefinitionOptions = (command: Command): Command =>
  command
    .addOption(new Option("--type <type>", "How it is performed; by default what the other options say.").choices(implementationTypes))
    .option("--name <name>", "The name, for people.")
    .option("--slug <slug>", "The name in code; by default made of --name. It is fixed after the first publish.")
    .option("--description <text>", "What it does and when to use it: agents find it by this.")
    .option("--input <schema>", "The JSON Schema of its arguments: JSON, or @file.")
    .option(
      "--param <name:type[:required][:description]>",
      "An argument in short form, e.g. 'city:string:required:The city'. Repeat for more.",
      collect,
    )
    .option("--output <schema>", "The JSON Schema of its answer: JSON, or @file.")
    .option("--url <url>", "http: the address, with {name} where an argument goes. mcp: the server.")
    .option("--method <method>", "http: GET (default), POST, PUT, PATCH, DELETE, HEAD or OPTIONS.")
    .option(
      "--header <name>",
      "http, mcp: a header, whose value you are asked for; 'authorization=Bearer ${token}' asks for the token. Repeat for more.",
      collect,
    )
    .option("--mcp-tool <name>", "mcp: the tool's name on that server.")
    .option("--function <name>", "function: the name under which the server registers it.")
    .option("--code <code>", "custom, artifact: TypeScript; @file, or - for stdin.")
    .option("--uses <patterns>", "custom: its callers' own connections that it may use, separated by commas.", parseList)
    .option("--artifact <artifact>", "artifact: its slug or id.")
    .option(
      "--artifact-version <version>",
      "artifact: the version, or latest for the newest one when the tool is published, which is the default.",
    )
    .option("--builtin <key>", "internal: the built-in, e.g. web_search.")
    .option("--api-key", "internal: a key of its own, which you are asked for.")
    .option("--credential <credential>", "internal: the id or label of a credential of the organization.")
    .option("--pipeline <id>", "rag_retrieval: the pipeline.")
    .option("--agent <agent>", "agent_call: the slug of the agent that it runs, or its id (agt_…).")
    .option("--timeout <time>", "Stop a call after this time, e.g. 30s.", parseDuration)
    .option("--execution <json>", "Execution settings: is_pure, concurrency_group, max_concurrency, timeout_s.")
    .option("--config <json>", "The whole implementation config: JSON, or @file. The other options win.")
    .option("--file <path>", "The whole definition as JSON, as `registry show --json` prints it; - for stdin. The options win.")
    .option("--secret-stdin", "Read the value of the header or the key from stdin; several as a JSON object.")
    .option("--env <name>", "Read it from this environment variable on each call; `header=NAME` if there are several.", collect)

type TypedOption = Exclude<
  keyof DefinitionOptions,
  | "type"
  | "name"
  | "slug"
  | "description"
  | "input"
  | "output"
  | "param"
  | "timeout"
  | "execution"
  | "config"
  | "file"
  | "secretStdin"
  | "env"
>

/** The first one tells the type where nobody says it. */
const optionsOf: Readonly<Record<ImplementationType, readonly TypedOption[]>> = {
  mcp: ["mcpTool", "url", "header"],
  http: ["url", "method", "header"],
  function: ["function"],
  artifact: ["artifact", "artifactVersion", "code"],
  custom: ["code", "uses"],
  internal: ["builtin", "apiKey", "credential"],
  rag_retrieval: ["pipeline"],
  agent_call: ["agent"],
}

/** Null where nothing says it. */
export function typeBy(options: DefinitionOptions): ImplementationType | null {
  if (options.type !== undefined) return options.type
  const known = Object.keys(optionsOf) as ImplementationType[] // its own keys
  return known.find((type) => options[optionsOf[type][0] as TypedOption] !== undefined) ?? null // each has a first one
}

export function refuseOthers(options: DefinitionOptions, type: string): void {
  const taken = new Set<string>(Object.hasOwn(optionsOf, type) ? optionsOf[type as ImplementationType] : []) // a key of the table
  const stray = Object.values(optionsOf)
    .flat()
    .find((name) => options[name] !== undefined && !taken.has(name))
  if (stray === undefined) return
  const owners = Object.entries(optionsOf).flatMap(([owner, names]) => (names.includes(stray) ? [owner] : []))
  throw new UsageError(`${flagOf(stray)} is for tools of the type ${owners.join(" or ")}, and this one is ${type}`)
}

const flagOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
