// The ways in which an integration can be connected: those that its source states, what a preset knows, and any other.
import type { ConnectionView, IntegrationView, PresetView } from "toolplane/client"
import type { AuthTemplate, ConnectionAuth, Placement } from "../../../../../src/core/auth.ts"

export type Way = {
  readonly id: string
  readonly template: AuthTemplate
  readonly label: string
  /** What has to be entered. */
  readonly values: readonly string[]
  /** Where it goes; empty: where the template says. */
  readonly placements: readonly Placement[]
  /** Where a person gets the key. */
  readonly keyUrl: string | null
  readonly note: string
  readonly isOffered: boolean
}

export const authLabels: Readonly<Record<AuthTemplate, string>> = {
  none: "None",
  bearer: "Bearer token",
  api_key: "API key",
  basic: "Basic",
  oauth2: "OAuth",
  custom: "Custom",
}

const templateValues: Readonly<Record<AuthTemplate, readonly string[]>> = {
  none: [],
  bearer: ["token"],
  api_key: ["key"],
  basic: ["username", "password"],
  oauth2: [],
  custom: [],
}

const others: readonly AuthTemplate[] = ["bearer", "api_key", "basic", "oauth2", "custom", "none"]

export function waysOf({ facts }: IntegrationView, preset: PresetView | undefined): Way[] {
  const stated = facts.auth.map((option, at): Way => {
    const known = preset?.auth.find(({ template }) => template === option.template)
    return {
      id: `stated-${at}`,
      template: option.template,
      label: option.name === option.template ? authLabels[option.template] : `${authLabels[option.template]}: ${option.name}`,
      values: option.template === "custom" ? option.values : templateValues[option.template],
      placements: option.template === "oauth2" ? [] : option.placements,
      keyUrl: known?.keyUrl ?? null,
      note: option.description === "" ? (known?.note ?? "") : option.description,
      isOffered: true,
    }
  })
  const known = (preset?.auth ?? [])
    .filter(({ template }) => !stated.some((way) => way.template === template))
    .map((one, at): Way => ({
      id: `preset-${at}`,
      template: one.template,
      label: authLabels[one.template],
      values: one.template === "custom" ? one.values : templateValues[one.template],
      placements: one.placements,
      keyUrl: one.keyUrl,
      note: one.note,
      isOffered: true,
    }))
  const offered = [...stated, ...known]
  const rest = others.filter((template) => template === "custom" || !offered.some((way) => way.template === template))
  return [...offered, ...rest.map(otherWay)]
}

const otherWay = (template: AuthTemplate): Way => ({
  id: `other-${template}`,
  template,
  label: authLabels[template],
  values: templateValues[template],
  placements: [],
  keyUrl: null,
  note: "",
  isOffered: false,
})

/** Whether its places are written by hand. */
export const isHandmade = ({ template, placements }: Way): boolean => template === "custom" && placements.length === 0

/** What a person who opens the form most likely wants. */
export function firstWay(ways: readonly Way[], existing: ConnectionView | null): Way | undefined {
  const kept = existing === null ? undefined : ways.find(({ template }) => template === existing.auth.template)
  return kept ?? ways[0]
}

export type Entered = { readonly values: Readonly<Record<string, string>>; readonly placements: readonly Placement[] }

/** The names that hand-written places need. */
export const namesIn = (placements: readonly Placement[]): string[] => [
  ...new Set(placements.flatMap(({ value }) => [...value.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map((match) => match[1] ?? ""))),
]

export function toAuth(way: Way, { values, placements }: Entered): ConnectionAuth {
  const names = isHandmade(way) ? namesIn(placements) : way.values
  const places = isHandmade(way) ? placements : way.placements
  return {
    template: way.template,
    ...(names.length === 0 ? {} : { values: Object.fromEntries(names.map((name) => [name, values[name] ?? ""])) }),
    ...(places.length === 0 ? {} : { placements: places }),
  }
}

export const missingOf = (way: Way, { values, placements }: Entered): string | null => {
  if (isHandmade(way) && placements.every(({ name }) => name.trim() === "")) return "Say where the credential goes"
  const names = isHandmade(way) ? namesIn(placements) : way.values
  const missing = names.find((name) => (values[name] ?? "") === "")
  return missing === undefined ? null : `Enter the ${valueLabel(missing).toLowerCase()}`
}

const valueLabels: Readonly<Record<string, string>> = { token: "Token", key: "Key", username: "Username", password: "Password" }
export const valueLabel = (name: string): string => valueLabels[name] ?? name
