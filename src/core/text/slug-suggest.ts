// Suggests the slug of an integration from the host of its calls, or else from its title, or else from where it was found.
import { ownedSlugs, reservedSlugs } from "../address.ts"

/** Hosts whose name differs from the name of the service; null if many services share the host and the title tells them apart. */
const knownHosts: ReadonlyMap<string, string | null> = new Map([
  ["app.asana.com", "asana"],
  ["circleci.com", "circleci"],
  ["discord.com", "discord"],
  ["gitlab.com", "gitlab"],
  ["graph.facebook.com", "facebook"],
  ["graph.microsoft.com", "microsoft_graph"],
  ["oauth.reddit.com", "reddit"],
  ["quickbooks.api.intuit.com", "quickbooks"],
  ["slack.com", "slack"],
  ["www.googleapis.com", null],
])

/** Labels under which countries register names. */
const secondLevel = new Set(["ac", "co", "com", "edu", "gov", "net", "org"])
const slugCharsMax = 40

export type SlugClues = { readonly origins: readonly string[]; readonly title: string; readonly fallback: string }

export function suggestSlug({ origins, title, fallback }: SlugClues): string {
  const [origin] = origins
  const named = origin === undefined ? null : serviceAt(URL.parse(origin)?.hostname ?? "")
  const found = [named === null ? [] : [named], wordsOf(title), wordsOf(fallback), ["api"]].find((list) => list.length > 0) ?? []
  const slug = found.slice(0, 3).join("_").slice(0, slugCharsMax)
  return reservedSlugs.includes(slug) || ownedSlugs.includes(slug) ? `${slug}_api` : slug
}

/** `api.github.com` → `github`, `gmail.googleapis.com` → `gmail`; null for a host that says nothing about its service. */
function serviceAt(host: string): string | null {
  const known = knownHosts.get(host)
  if (known !== undefined) return known
  const google = /^([a-z][a-z0-9-]*)\.googleapis\.com$/.exec(host)?.[1]
  if (google !== undefined) return google.replaceAll("-", "_")
  const labels = host.split(".")
  const [first = ""] = labels
  if (labels.length < 3 || !/^(?:api|mcp|rest)(?:-?v?\d+)?$/.test(first)) return null
  const isNested = (labels.at(-1)?.length ?? 0) === 2 && secondLevel.has(labels.at(-2) ?? "")
  const name = labels.slice(1, isNested ? -2 : -1).at(-1) ?? ""
  return /^[a-z][a-z0-9-]*$/.test(name) ? name.replaceAll("-", "_") : null
}

const dull = /^(open|rest|swagger)?(api|json|ya?ml|www|com|org|net|io|dev|graphqls?|gql|spec|schema|localhost|s|v?\d+)?$/

const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? []).filter((word) => !dull.test(word))
