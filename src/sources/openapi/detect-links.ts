// Finds in a page, a script or an answer's headers the places where an OpenAPI document may be.

export type LinkSource = { readonly url: string; readonly text: string; readonly essence: string; readonly linkHeader: string }

const textCharsMax = 500_000
const linksMax = 12

/** Frameworks' own defaults, the most telling first; the last ones are pages that link to it. */
const rootPlaces = [
  "/openapi.json",
  "/openapi.yaml",
  "/swagger.json",
  "/v3/api-docs",
  "/.well-known/openapi",
  "/.well-known/api-catalog",
  "/swagger/v1/swagger.json",
  "/api/openapi.json",
  "/api-docs",
  "/docs",
]
const nearPlaces = ["openapi.json", "openapi.yaml", "swagger.json", "v3/api-docs"]

export function usualPlaces(url: string): string[] {
  const { pathname } = new URL(url)
  const folder = pathname.endsWith("/") ? pathname : `${pathname}/`
  const near = folder === "/" ? [] : nearPlaces.map((name) => new URL(`${folder}${name}`, url).href)
  return [...near, ...rootPlaces.map((path) => new URL(path, url).href)]
}

export function linksOf(source: LinkSource): string[] {
  const text = source.text.slice(0, textCharsMax)
  const isPage = text.trimStart().startsWith("<")
  const found = [
    ...headerLinks(source.linkHeader),
    ...(isPage ? [...tagLinks(text), ...viewerLinks(text)] : []),
    ...(source.essence.includes("javascript") ? viewerLinks(text) : []),
    ...(source.essence.includes("json") ? jsonLinks(text) : []),
  ]
  const absolute = found.flatMap((link) => {
    const url = URL.parse(link.trim(), source.url)
    return url !== null && /^https?:$/.test(url.protocol) ? [withoutFragment(url)] : []
  })
  return [...new Set(absolute)].slice(0, linksMax)
}

/** `Link: </openapi.json>; rel="service-desc"` (RFC 8631). */
const headerLinks = (header: string): string[] =>
  [...header.matchAll(/<([^<>]{1,2000})>([^<]*)/g)].filter((match) => isDescription(match[2] ?? "")).map((match) => match[1] ?? "")

const isDescription = (text: string): boolean => /\bservice-(?:desc|doc)\b/i.test(text)

/** `<link rel="service-desc" href="…">`, and links to what has the name of a document. */
function tagLinks(html: string): string[] {
  const links = [...html.matchAll(/<(link|a|script)\b([^<>]{1,2000})>/gi)].map((match) => ({
    tag: match[1]?.toLowerCase(),
    attributes: match[2] ?? "",
  }))
  return links.flatMap(({ tag, attributes }) => {
    const to = unescape(/\b(?:href|src)\s*=\s*["']([^"']+)["']/i.exec(attributes)?.[1] ?? "")
    if (to === "") return []
    if (tag === "script") return /swagger-initializer|swagger-config|openapi/i.test(to) ? [to] : []
    const isNamed = /(?:openapi|swagger|api-docs)[^/]*(?:\.(?:json|ya?ml))?$/i.test(to.split(/[?#]/, 1)[0] ?? "")
    return (tag === "link" && isDescription(attributes)) || (tag === "a" && isNamed) ? [to] : []
  })
}

const viewerPatterns = [
  // Redoc, RapiDoc, Stoplight Elements and Scalar as elements.
  /\b(?:spec-url|data-url|data-spec-url|apidescriptionurl|description-url)\s*=\s*["']([^"']{1,2000})["']/gi,
  // Swagger UI and Scalar as scripts.
  /\b(?:configUrl|specUrl|url)["']?\s*:\s*["'`]([^"'`]{1,2000})["'`]/g,
  /\bRedoc\.init\(\s*["'`]([^"'`]{1,2000})["'`]/g,
]

const viewerLinks = (text: string): string[] =>
  viewerPatterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => unescape(match[1] ?? "")))

/** Swagger UI's config (`url`, `urls`, `configUrl`), and a catalog of APIs as a set of links (RFC 9727). */
function jsonLinks(text: string): string[] {
  if (!/"(?:linkset|configUrl|url|urls)"/.test(text.slice(0, 5000))) return []
  try {
    return linksIn(JSON.parse(text))
  } catch {
    return []
  }
}

function linksIn(value: unknown): string[] {
  const { url, configUrl, urls, linkset } = fieldsOf(value)
  const named = list(urls).map((one) => fieldsOf(one)["url"])
  const described = list(linkset).flatMap((set) => list(fieldsOf(set)["service-desc"]).map((one) => fieldsOf(one)["href"]))
  return [url, ...named, configUrl, ...described].filter((link) => typeof link === "string")
}

const fieldsOf = (value: unknown): Record<string, unknown> => (typeof value === "object" && value !== null ? { ...value } : {})
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

const unescape = (text: string): string => text.replaceAll("&amp;", "&").replaceAll("\\/", "/")

function withoutFragment(url: URL): string {
  url.hash = ""
  return url.href
}
