// Works out where calls go: servers of the document, of a path or of an operation, with their variables filled in.
import { childOf, locationOf } from "../document/resolve.ts"
import type { Located } from "../document/resolve.ts"
import { isObject, listAt, objectAt, own, textAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"

export type ServerContext = {
  /** What relative servers are relative to; null for a document that came without a URL. */
  readonly documentUrl: string | null
  readonly variables: Readonly<Record<string, string>>
  readonly warnings: Warnings
}

/** Every operation repeats them. */
const serversMax = 20
const urlCharsMax = 2_000

/** The servers of one place, or null where it names none and those around it hold. */
export function serversAt(at: Located, context: ServerContext): string[] | null {
  const list = childOf(at, "servers")
  if (list.value !== undefined && !Array.isArray(list.value)) context.warnings.add(locationOf(list), "'servers' is not a list")
  if (!Array.isArray(list.value) || list.value.length === 0) return null
  const urls = [...list.value.slice(0, serversMax).keys()].map((index) => serverUrl(childOf(list, String(index)), context))
  return [...new Set(urls.filter((url) => url !== null))]
}

/** OpenAPI 3 without servers means the origin of the document itself, where it has one. */
export const rootServers = (root: Located, context: ServerContext): string[] =>
  serversAt(root, context) ?? (context.documentUrl === null ? [] : compact([absoluteUrl("/", "#/servers", context)]))

/** Swagger 2.0 names host, base path and schemes apart; what is missing is that of the document. */
export function swaggerServers(root: JsonObject, context: ServerContext): string[] {
  const home = context.documentUrl === null ? null : URL.parse(context.documentUrl)
  const host = textAt(root, "host") ?? home?.host ?? null
  const basePath = textAt(root, "basePath") ?? ""
  if (host === null) {
    context.warnings.add("#/host", "The document names no host, and has no URL of its own: set 'baseUrl' to call its operations")
    return []
  }
  const listed = listAt(root, "schemes").filter((scheme) => scheme === "https" || scheme === "http")
  const fallback = home?.protocol === "http:" ? "http" : "https"
  // Credentials should not travel in the clear where the server offers better.
  const schemes = listed.length === 0 ? [fallback] : [...new Set(listed)].toSorted().toReversed()
  const path = basePath === "" || basePath.startsWith("/") ? basePath : `/${basePath}`
  return compact(schemes.map((scheme) => absoluteUrl(`${scheme}://${host.replace(/^https?:\/\//i, "")}${path}`, "#/host", context)))
}

function serverUrl(at: Located, context: ServerContext): string | null {
  const template = isObject(at.value) ? textAt(at.value, "url") : null
  if (!isObject(at.value) || template === null || template.length > urlCharsMax) {
    context.warnings.add(locationOf(at), "The server has no URL, or none of usual length; it was left out")
    return null
  }
  const declared = objectAt(at.value, "variables") ?? {}
  const missing: string[] = []
  const filled = template.replaceAll(/\{([^{}]*)\}/g, (_placeholder, name: string) => {
    const value = variableValue(name, declared, at, context)
    if (value === null) missing.push(name)
    return value ?? ""
  })
  if (missing.length > 0) {
    context.warnings.add(locationOf(at), `The server's variable '${missing[0]}' has no value: set it in 'variables', or set 'baseUrl'`)
    return null
  }
  return absoluteUrl(filled, locationOf(at), context)
}

function variableValue(name: string, declared: JsonObject, at: Located, context: ServerContext): string | null {
  const variable = objectAt(declared, name) ?? {}
  const fallback = own(variable, "default")
  const byDocument = typeof fallback === "string" || typeof fallback === "number" || typeof fallback === "boolean" ? String(fallback) : null
  const configured = own(context.variables, name)
  if (typeof configured !== "string") return byDocument
  const allowed = listAt(variable, "enum").map(String)
  if (allowed.length === 0 || allowed.includes(configured)) return configured
  context.warnings.add(
    locationOf(at),
    `The server's variable '${name}' cannot be '${configured}': it is one of ${allowed.slice(0, 10).join(", ")}`,
  )
  return null
}

/** Without a trailing slash, so that a path can follow; without what does not belong to a base. */
function absoluteUrl(text: string, location: string, context: ServerContext): string | null {
  const url = URL.parse(text.trim(), context.documentUrl ?? undefined)
  if (!url) {
    context.warnings.add(
      location,
      `The server '${text}' is relative, and the document has no URL of its own: set 'baseUrl' to call its operations`,
    )
    return null
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    context.warnings.add(location, `The server '${text}' does not use HTTP; it was left out`)
    return null
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    context.warnings.add(location, "User, query and fragment of the server's URL are left out")
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "")
}

const compact = (urls: readonly (string | null)[]): string[] => [...new Set(urls.filter((url) => url !== null))]
