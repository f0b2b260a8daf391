// Checks a plugin when it is defined, so that a mistake is found by its author and not by an agent.
import { isRecord } from "../core/json/record.ts"
import { IntegrationSlug } from "../core/address.ts"
import { ExecutorError } from "../core/errors.ts"
import { defaultLimits } from "../core/limits.ts"
import type { AuthProvider, Plugin, PluginTool } from "./definition.ts"
import { authProviderTypes } from "./definition.ts"
import { inputJsonSchema } from "./json-schema.ts"
import { isStandardSchema } from "./standard-schema.ts"
import { isTitleCase } from "../core/text/title-case.ts"

export const slugOf = (plugin: Pick<Plugin, "id">): string => plugin.id.replaceAll("-", "_")

const idPattern = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/
const pathPattern = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/
/** With the longest name of a connection the address still has its 256 bytes. */
const pathCharsMax = 180
const toolsMax = 1000
const providersMax = 20

const pluginFields = ["id", "name", "description", "authProviders", "tools"]
const toolFields = ["path", "name", "description", "inputSchema", "outputSchema", "destructive", "timeoutMs", "handler"]
const providerFields = ["id", "type", "description", "provider", "scopes", "issuer", "authorizationUrl", "tokenUrl"]

export function checkPluginDefinition(plugin: Plugin): void {
  checkObject(plugin, "A plugin", pluginFields)
  const { id } = plugin
  require(typeof id === "string" &&
    idPattern.test(id), `A plugin's id must match ${idPattern.source}, such as 'my-service', not ${show(id)}`)
  const place = `Plugin '${id}'`
  const slug = IntegrationSlug.check(slugOf(plugin))
  if (!slug.ok) throw broken(`${place}: its id does not yield a valid slug. ${slug.reason}`)
  checkText(plugin.name, `${place}: name`, defaultLimits.nameCharsMax)
  checkText(plugin.description, `${place}: description`, defaultLimits.descriptionCharsMax)
  checkProviders(plugin.authProviders ?? [], place)
  require(Array.isArray(plugin.tools) && plugin.tools.length > 0, `${place}: tools must be a list with at least one tool`)
  require(plugin.tools.length <= toolsMax, `${place}: a plugin has at most ${toolsMax} tools`)
  const paths = new Set<string>()
  for (const tool of plugin.tools) {
    checkToolDefinition(tool, place)
    const { path } = tool
    require(path.startsWith(
      `${slug.value}.`,
    ), `${place}: the path '${path}' must begin with '${slug.value}.', the plugin's id with '_' for '-'`)
    require(!paths.has(path), `${place}: two tools share the path '${path}'`)
    paths.add(path)
  }
}

export function checkToolDefinition(tool: PluginTool, owner = "Tool"): void {
  checkObject(tool, `${owner}: a tool`, toolFields)
  const { path, name, inputSchema, outputSchema, destructive, timeoutMs } = tool
  require(typeof path === "string" &&
    pathPattern.test(path), `${owner}: a tool's path must match ${pathPattern.source}, such as 'my_service.items.list', not ${show(path)}`)
  require(path.length <= pathCharsMax, `${owner}: the path '${path.slice(0, 40)}…' is longer than ${pathCharsMax} characters`)
  const place = `${owner === "Tool" ? "Tool" : `${owner}, tool`} '${path}'`
  require(!path.split(".").includes("then"), `${place}: no segment of a path may be 'then', which would make it a promise`)
  checkText(name, `${place}: name`, defaultLimits.nameCharsMax)
  require(isTitleCase(name), `${place}: its name must be in Title Case, such as 'List Items', not ${show(name)}`)
  checkText(tool.description, `${place}: description`, defaultLimits.descriptionCharsMax)
  require(isStandardSchema(inputSchema), `${place}: inputSchema must be a Standard Schema, for example z.object({ … })`)
  inputJsonSchema(inputSchema, `${place}: inputSchema`)
  if (outputSchema !== undefined) {
    require(isStandardSchema(outputSchema), `${place}: outputSchema must be a Standard Schema`)
  }
  require(destructive === undefined || typeof destructive === "boolean", `${place}: destructive must be true or false`)
  require(timeoutMs === undefined ||
    (Number.isFinite(timeoutMs) && timeoutMs > 0), `${place}: timeoutMs must be a number of milliseconds above 0`)
  require(typeof tool.handler === "function", `${place}: handler must be a function`)
}

function checkProviders(providers: readonly AuthProvider[], place: string): void {
  require(Array.isArray(providers) && providers.length <= providersMax, `${place}: authProviders must be a list of at most ${providersMax}`)
  const ids = new Set<string>()
  for (const provider of providers) {
    checkObject(provider, `${place}: an auth provider`, providerFields)
    const { id, type, description, scopes } = provider
    require(typeof id === "string" &&
      idPattern.test(id) &&
      id.length <= 63, `${place}: an auth provider's id must match ${idPattern.source}, not ${show(id)}`)
    require(!ids.has(id), `${place}: two auth providers share the id '${id}'`)
    ids.add(id)
    require(authProviderTypes.includes(
      type,
    ), `${place}: the auth provider '${id}' has the unknown type ${show(type)}; known: ${authProviderTypes.join(", ")}`)
    if (description !== undefined) checkText(description, `${place}: the description of '${id}'`, defaultLimits.descriptionCharsMax)
    require(scopes === undefined ||
      (Array.isArray(scopes) &&
        scopes.every((scope) => typeof scope === "string")), `${place}: the scopes of '${id}' must be a list of strings`)
    for (const field of ["issuer", "authorizationUrl", "tokenUrl"] as const) {
      const url = provider[field]
      require(url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? ""), `${place}: ${field} of '${id}' must be an http(s) URL`)
    }
  }
}

/** A misspelt `destructive` would be a tool that nobody is asked about. */
function checkObject(value: object, what: string, fields: readonly string[]): void {
  require(isRecord(value), `${what} must be an object`)
  const unknown = Object.keys(value).find((key) => !fields.includes(key))
  require(unknown === undefined, `${what} has no field '${unknown}'; known: ${fields.join(", ")}`)
}

function checkText(value: unknown, place: string, charsMax: number): void {
  require(typeof value === "string" &&
    value.trim() !== "" &&
    value.length <= charsMax, `${place} must be a string of 1 to ${charsMax} characters`)
}

function require(holds: boolean, message: string): asserts holds {
  if (!holds) throw broken(message)
}

const broken = (message: string): ExecutorError => new ExecutorError("invalid_request", message)

const show = (value: unknown): string => (typeof value === "string" ? `'${value.slice(0, 80)}'` : typeof value)
