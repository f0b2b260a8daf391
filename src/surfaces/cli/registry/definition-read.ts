// Reads what a registry tool is to be from the options of `create` or `edit`.
import { isRecord } from "../../../core/json/record.ts"
import type { RegistryToolCreate, RegistryToolUpdate, RegistryToolView, ToolSchemas } from "../../../core/registry/tool.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { readJsonObject } from "../prompt/input-read.ts"
import { askText } from "../prompt/prompt.ts"
import type { Question } from "../prompt/prompt.ts"
import { UsageError } from "../usage-error.ts"
import { readConfig } from "./config-read.ts"
import { readDefinitionFile } from "./definition-file.ts"
import type { FileDefinition } from "./definition-file.ts"
import { refuseOthers, typeBy } from "./definition-options.ts"
import type { DefinitionOptions } from "./definition-options.ts"
import { findArtifact } from "./find.ts"
import { closedSchema, extendSchema, parseParameter, placeholdersOf } from "./input-schema.ts"

export async function readNewTool(options: DefinitionOptions, context: ExecutorCommandContext): Promise<RegistryToolCreate> {
  const file = options.file === undefined ? {} : await readDefinitionFile(options.file)
  const implementationType = typeBy(options) ?? file.implementationType
  if (implementationType === undefined)
    throw new UsageError(
      "Say how the tool is performed: --url for an HTTP request, --code for code that uses other tools, --artifact, --function, --mcp-tool, --builtin, --pipeline or --agent; or --type, or --file",
    )
  refuseOthers(options, implementationType)
  const name = options.name ?? file.name ?? (await askFor({ message: "Its name?", flag: '--name "Open orders"' }, context))
  const description =
    options.description ??
    file.description ??
    (await askFor(
      { message: "What does it do? Agents find it by its description.", flag: '--description "Shows an order by its number"' },
      context,
    ))
  const read = await readConfig(implementationType, options, file.implementationConfig ?? null, context)
  const config = withMethod(implementationType, read ?? file.implementationConfig ?? {})
  return {
    name,
    description,
    implementationType,
    implementationConfig: config,
    ...omitUndefined({
      schema: await newSchemas(implementationType, options, config, file),
      slug: options.slug ?? file.slug,
      executionConfig: (await readExecution(options, file.executionConfig ?? {})) ?? file.executionConfig,
    }),
    ...withoutNull(await readArtifact(options, file, context)),
  }
}

/** A new tool has the latest version unless another one is named. */
const withoutNull = ({ artifactId, artifactVersion }: ArtifactChange): Pick<RegistryToolCreate, "artifactId" | "artifactVersion"> =>
  omitUndefined({ artifactId: artifactId ?? undefined, artifactVersion: artifactVersion ?? undefined })

/** An artifact or a built-in says itself what it takes; other tools take nothing until somebody says so. */
async function newSchemas(
  type: string,
  options: DefinitionOptions,
  config: Readonly<Record<string, unknown>>,
  file: FileDefinition,
): Promise<ToolSchemas | undefined> {
  const said = await readSchemas(options, config, file.schema ?? null)
  if (said !== null) return said
  return ["artifact", "internal"].includes(type) ? undefined : { input: closedSchema, ...(await readOutput(options)) }
}

const readOutput = async ({ output }: DefinitionOptions): Promise<Pick<ToolSchemas, "output">> =>
  output === undefined ? {} : { output: await readJsonObject(output, "--output") }

/** Only what changes. */
export async function readChange(
  options: DefinitionOptions,
  before: RegistryToolView,
  context: ExecutorCommandContext,
): Promise<RegistryToolUpdate> {
  const file = options.file === undefined ? {} : await readDefinitionFile(options.file)
  const type = options.type ?? file.implementationType ?? before.implementationType
  refuseOthers(options, type)
  const stored = type === before.implementationType ? before.configSchema.implementation : {}
  const config = (await readConfig(type, options, file.implementationConfig ?? stored, context)) ?? file.implementationConfig
  const execution = await readExecution(options, file.executionConfig ?? before.configSchema.execution)
  const isSchemaMeant =
    options.input !== undefined || options.param !== undefined || options.output !== undefined || options.url !== undefined
  const schema = isSchemaMeant ? await readSchemas(options, config ?? stored, file.schema ?? before.schema) : null
  return {
    ...file,
    ...omitUndefined({
      name: options.name,
      slug: options.slug ?? file.slug,
      description: options.description,
      implementationType: type === before.implementationType ? undefined : type,
      implementationConfig: config === undefined ? undefined : withMethod(type, config),
      executionConfig: execution ?? undefined,
      schema: schema ?? undefined,
    }),
    ...(await readArtifact(options, file, context)),
  }
}

async function askFor(question: Question, { screen }: ExecutorCommandContext): Promise<string> {
  const text = (await askText(question, screen)).trim()
  if (text === "") throw new UsageError(`It is empty; pass ${question.flag}`)
  return text
}

const withMethod = (type: string, config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  type === "http" && config["method"] === undefined ? { method: "GET", ...config } : config

/** Null where nothing says what the arguments are. */
async function readSchemas(
  options: DefinitionOptions,
  config: Readonly<Record<string, unknown>>,
  before: ToolSchemas | null,
): Promise<ToolSchemas | null> {
  const given = options.input === undefined ? null : await readJsonObject(options.input, "--input")
  const parameters = (options.param ?? []).map(parseParameter)
  const placeholders = typeof config["url"] === "string" ? placeholdersOf(config["url"]) : []
  const start = given ?? before?.input ?? null
  if (start === null && parameters.length === 0 && typeof config["url"] !== "string") return null
  const input = parameters.length === 0 && given !== null ? given : extendSchema(start ?? closedSchema, parameters, placeholders)
  const output = options.output === undefined ? before?.output : await readJsonObject(options.output, "--output")
  return { input, ...omitUndefined({ output }) }
}

/** Null where the options say nothing of it. */
async function readExecution(
  { timeout, execution }: DefinitionOptions,
  before: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>> | null> {
  if (timeout === undefined && execution === undefined) return null
  const given = execution === undefined ? before : await readJsonObject(execution, "--execution")
  return { ...(isRecord(given) ? given : {}), ...(timeout === undefined ? {} : { timeout_s: timeout / 1000 }) }
}

type ArtifactChange = Pick<RegistryToolUpdate, "artifactId" | "artifactVersion">

async function readArtifact(
  { artifact, artifactVersion }: DefinitionOptions,
  file: FileDefinition,
  { api }: ExecutorCommandContext,
): Promise<ArtifactChange> {
  const found = artifact === undefined ? file.artifactId : (await findArtifact(artifact, api)).id
  // Null: the latest one, which publishing pins.
  const version = artifactVersion === "latest" ? null : (artifactVersion ?? file.artifactVersion)
  return omitUndefined({ artifactId: found, artifactVersion: version })
}
