// Reads stored bindings and base URLs once, and keeps what calls need of them in memory.
import { LruMap } from "../../../core/lru-map.ts"
import { splitUserInfo } from "../../../io/network/user-info.ts"
import type { BoundParameter, OpenApiBinding } from "../binding.ts"
import type { Pair } from "./serialize-style.ts"

export type RequestPlan = {
  readonly binding: OpenApiBinding
  /** The path cut at its placeholders. */
  readonly path: readonly (string | BoundParameter)[]
  /** Some documents write a query into the path. */
  readonly hasQuery: boolean
  readonly query: readonly BoundParameter[]
  readonly headers: readonly BoundParameter[]
  readonly cookies: readonly BoundParameter[]
  /** All arguments that are not the body's. */
  readonly parameterArgs: ReadonlySet<string>
  readonly accept: string
}

export type RequestBase = {
  readonly origin: string
  /** Without a slash at its end. */
  readonly prefix: string
  readonly query: readonly Pair[]
  readonly authorization: string | null
}

/** How many tools and servers are remembered: far more than one process calls in turn, and a few megabytes. */
const rememberedMax = 2000

export const planOf: (bindingText: string) => RequestPlan = remember((text) => {
  const binding = JSON.parse(text) as OpenApiBinding // written by the compiler of this version's documents
  const [template = ""] = binding.path.split("#", 1)
  const inPath = new Map(binding.parameters.filter((parameter) => parameter.in === "path").map((parameter) => [parameter.name, parameter]))
  return {
    binding,
    path: cutTemplate(template.startsWith("/") ? template : `/${template}`, inPath),
    hasQuery: template.includes("?"),
    query: binding.parameters.filter((parameter) => parameter.in === "query" || parameter.in === "querystring"),
    headers: binding.parameters.filter((parameter) => parameter.in === "header"),
    cookies: binding.parameters.filter((parameter) => parameter.in === "cookie"),
    parameterArgs: new Set(binding.parameters.map((parameter) => parameter.arg)),
    accept: acceptOf(binding.accept),
  }
})

/** Documents forget types, those of errors above all, and an upstream would rather answer 406 than guess. */
function acceptOf(types: readonly string[]): string {
  if (types.length === 0) return "*/*"
  return (types.includes("*/*") ? types : [...types, "*/*;q=0.1"]).join(", ")
}

/** Null when the text is no URL that could be called. */
export const baseOf: (text: string) => RequestBase | null = remember((text) => {
  const parsed = URL.parse(text)
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) return null
  const { url, authorization } = splitUserInfo(parsed)
  const query = url.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "")
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/, ""),
    query: query.map((part) => ({ name: new URLSearchParams(part).keys().next().value ?? "", text: part })),
    authorization,
  }
})

function cutTemplate(template: string, parameters: ReadonlyMap<string, BoundParameter>): (string | BoundParameter)[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("{") ? (parameters.get(part.slice(1, -1)) ?? part) : part))
}

function remember<T>(read: (text: string) => T): (text: string) => T {
  const known = new LruMap<string, T>(rememberedMax)
  return (text) => {
    const found = known.get(text)
    return found === undefined ? known.set(text, read(text)) : found
  }
}
