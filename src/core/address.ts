// The names of integrations, connections and tools, and the only code that parses them.
import { ExecutorError } from "./errors.ts"

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** `org`: shared in the tenant. `user`: the acting member's own. */
export type Owner = "org" | "user"
export const owners: readonly Owner[] = ["org", "user"]

export type IntegrationSlug = Branded<"IntegrationSlug">
export type ConnectionName = Branded<"ConnectionName">
export type ToolName = Branded<"ToolName">
/** `tools.<integration>.<owner>.<connection>.<tool>` */
export type ToolAddress = Branded<"ToolAddress">
/** `tools.<integration>.<owner>.<connection>` */
export type ConnectionAddress = Branded<"ConnectionAddress">

export type ConnectionRef = {
  readonly integration: IntegrationSlug
  readonly owner: Owner
  readonly connection: ConnectionName
}
export type ToolRef = ConnectionRef & { readonly tool: ToolName }

type Parsed<T> = { ok: true; value: T } | { ok: false; reason: string }

export const addressBytesMax = 256
const addressExample = "tools.github.org.main.repos.get"
const namePattern = /^[a-z][a-z0-9_]{0,62}$/
const segmentPattern = /^[A-Za-z_$][A-Za-z0-9_$]*$/

/** The first segment of what Executor brings itself; every other one is an integration's or a plugin's. */
export const ownSlug = "executor"

/** Slugs that would hide a built-in, or make the proxy a thenable. */
export const reservedSlugs: readonly string[] = ["tools", "executor", "search", "describe", "catalog", "discover", "then"]

/** Slugs of what Executor keeps in the catalog itself: addresses have them, integrations that somebody adds do not. */
export const ownedSlugs: readonly string[] = ["registry", "builtin", "agents", "local"]

/** Integrations that are made and removed elsewhere, and so are not shown beside those that people add. */
export const isHiddenIntegration = (slug: string): boolean => slug === "registry" || slug === "agents"

export const isOwner = (text: string): text is Owner => text === "org" || text === "user"

export const IntegrationSlug = { make: (text: string): IntegrationSlug => orThrow(checkSlug(text)), check: checkSlug }
export const ConnectionName = { make: (text: string): ConnectionName => orThrow(checkConnectionName(text)), check: checkConnectionName }
export const ToolName = { make: (text: string): ToolName => orThrow(checkToolName(text)), check: checkToolName }

export const ConnectionAddress = {
  format: (ref: ConnectionRef): ConnectionAddress => `tools.${ref.integration}.${ref.owner}.${ref.connection}` as ConnectionAddress, // its parts were checked when they were branded
  parse: (text: string): ConnectionRef => orThrow(checkConnectionAddress(text)),
}

export const ToolAddress = {
  make: (text: string): ToolAddress => ToolAddress.format(ToolAddress.parse(text)),
  format: (ref: ToolRef): ToolAddress => `${ConnectionAddress.format(ref)}.${ref.tool}` as ToolAddress, // as above
  parse: (text: string): ToolRef => orThrow(checkToolAddress(text)),
  check: checkToolAddress,
}

/** Drops the optional leading `tools.` that every surface accepts. */
export const withoutRoot = (path: string): string => (path.startsWith("tools.") ? path.slice("tools.".length) : path)

function checkSlug(text: string): Parsed<IntegrationSlug> {
  if (!namePattern.test(text)) return refuse(`Integration slug ${quote(text)} must match ${namePattern.source}`)
  if (reservedSlugs.includes(text)) return refuse(`Integration slug '${text}' is reserved`)
  return { ok: true, value: text as IntegrationSlug } // just checked
}

function checkConnectionName(text: string): Parsed<ConnectionName> {
  if (!namePattern.test(text)) return refuse(`Connection name ${quote(text)} must match ${namePattern.source}`)
  return { ok: true, value: text as ConnectionName } // just checked
}

function checkToolName(text: string): Parsed<ToolName> {
  if (text === "") return refuse("A tool name is empty")
  for (const segment of text.split(".")) {
    if (segment === "then") return refuse("The tool segment 'then' is written 'then_'")
    if (!segmentPattern.test(segment)) return refuse(`Tool segment ${quote(segment)} is not an ASCII identifier`)
  }
  return { ok: true, value: text as ToolName } // just checked
}

function checkConnectionAddress(text: string): Parsed<ConnectionRef> {
  const [integration = "", owner = "", connection = "", ...rest] = withoutRoot(text).split(".")
  if (rest.length > 0 || connection === "") return refuse(`${quote(text)} is not tools.<integration>.<owner>.<connection>`)
  return checkParts(text, integration, owner, connection)
}

function checkToolAddress(text: string): Parsed<ToolRef> {
  if (typeof text !== "string") return refuse(`A tool address is a string such as ${addressExample}, not ${typeof text}`)
  if (text.length > addressBytesMax + "tools.".length) return refuse(`An address is at most ${addressBytesMax} bytes`)
  const [integration = "", owner = "", connection = "", ...tool] = withoutRoot(text).split(".")
  if (tool.length === 0) return refuse(`${quote(text)} is not tools.<integration>.<owner>.<connection>.<tool>, such as ${addressExample}`)
  const parts = checkParts(text, integration, owner, connection)
  if (!parts.ok) return parts
  const name = checkToolName(tool.join("."))
  if (!name.ok) return refuse(`${quote(text)} is not a tool address: ${name.reason}`)
  const ref = { ...parts.value, tool: name.value }
  if (ToolAddress.format(ref).length > addressBytesMax) return refuse(`An address is at most ${addressBytesMax} bytes`)
  return { ok: true, value: ref }
}

function checkParts(text: string, integration: string, owner: string, connection: string): Parsed<ConnectionRef> {
  const slug = checkSlug(integration)
  if (!slug.ok) return refuse(`${quote(text)} is not an address: ${slug.reason}`)
  if (!isOwner(owner)) return refuse(`${quote(text)} is not an address: its owner must be 'org' or 'user'`)
  const name = checkConnectionName(connection)
  if (!name.ok) return refuse(`${quote(text)} is not an address: ${name.reason}`)
  return { ok: true, value: { integration: slug.value, owner, connection: name.value } }
}

const refuse = (reason: string): { ok: false; reason: string } => ({ ok: false, reason })

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

function orThrow<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new ExecutorError("invalid_request", parsed.reason)
  return parsed.value
}
