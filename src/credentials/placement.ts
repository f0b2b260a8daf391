// Where the values of an auth template are put in a request.
import type { AuthOption, AuthTemplate, ConnectionAuth, Placement } from "../core/auth.ts"
import { ExecutorError } from "../core/errors.ts"

/** A connection's auth, complete: every placement named, every value under its own name. */
export type BoundAuth = {
  readonly template: AuthTemplate
  readonly placements: readonly Placement[]
  readonly values: Readonly<Record<string, string>>
}

const basicPlacement: Placement = { in: "header", name: "Authorization", value: "Basic ${base64(username:password)}" }
const bearerPlacement: Placement = { in: "header", name: "Authorization", value: "Bearer ${token}" }
const apiKeyPlacement: Placement = { in: "header", name: "X-API-Key", value: "${key}" }
const valueReference = /\$\{([A-Za-z_][A-Za-z0-9_]*|base64\(username:password\))\}/g

/** Completes what a user gave by what the source offers and the template means. */
export function bindAuth(auth: ConnectionAuth, offered: readonly AuthOption[]): BoundAuth {
  const option = chooseOption(auth, offered)
  const values = canonicalValues(auth.template, auth.values ?? {})
  const placements = auth.placements ?? defaultPlacements(auth.template, option)
  checkPlacements(placements, auth.template, values)
  return { template: auth.template, placements, values }
}

/** Where a source offers several of a template, the value's name says which one is meant. */
function chooseOption(auth: ConnectionAuth, offered: readonly AuthOption[]): AuthOption | undefined {
  const fitting = offered.filter((one) => one.template === auth.template)
  const names = Object.keys(auth.values ?? {})
  const named = fitting.find((one) => names.includes(one.name))
  if (fitting.length > 1 && named === undefined && names.length > 0 && auth.placements === undefined) {
    const choices = fitting.map((one) => one.name).join(", ")
    throw new ExecutorError(
      "invalid_request",
      `The source has several credentials with the template "${auth.template}"; use the name of one of them for the value: ${choices}`,
    )
  }
  return named ?? fitting[0]
}

/** The final text of each placement. */
export const fillPlacements = (placements: readonly Placement[], values: Readonly<Record<string, string>>): Placement[] =>
  placements.map((placement) => ({ ...placement, value: fill(placement.value, values) }))

/** Whether every value that the placements name is there. */
export const isBound = (placements: readonly Placement[], bound: readonly string[]): boolean =>
  placements.length > 0 && placements.every((placement) => namesIn(placement.value).every((name) => bound.includes(name)))

function defaultPlacements(template: AuthTemplate, option: AuthOption | undefined): readonly Placement[] {
  switch (template) {
    case "none":
      return []
    case "bearer":
    case "oauth2":
      return template === "bearer" && option ? option.placements : [bearerPlacement]
    case "basic":
      return [basicPlacement]
    case "api_key":
      return option ? option.placements : [apiKeyPlacement]
    case "custom":
      return option ? option.placements : []
  }
}

/** People write `apiKey`, `api_key` or `value`; where a template has one value, the one that was given is meant. */
function canonicalValues(template: AuthTemplate, given: Readonly<Record<string, string>>): Record<string, string> {
  const present = Object.entries(given).filter(([, value]) => value !== "")
  const single = template === "bearer" || template === "oauth2" ? "token" : template === "api_key" ? "key" : null
  const only = present.length === 1 ? present[0] : undefined
  if (single !== null && only) return { [single]: only[1] }
  return Object.fromEntries(present)
}

function checkPlacements(placements: readonly Placement[], template: AuthTemplate, values: Readonly<Record<string, string>>): void {
  if (template === "custom" && placements.length === 0) {
    throw new ExecutorError(
      "invalid_request",
      'auth.placements is missing: the template "custom" needs e.g. [{ "in": "header", "name": "X-Key", "value": "${key}" }]',
    )
  }
  for (const placement of placements) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~[\]-]+$/.test(placement.name))
      throw new ExecutorError("invalid_request", `auth.placements: '${placement.name}' is not a valid name for a ${placement.in}`)
  }
  const used = new Set(placements.flatMap((placement) => namesIn(placement.value)))
  for (const [name, value] of Object.entries(values)) {
    if (/[\0\r\n]/.test(value)) throw new ExecutorError("invalid_request", `auth.values.${name} contains a line break or a NUL`)
    if (!used.has(name)) {
      const expected = [...used].toSorted().join(", ") || "no values"
      throw new ExecutorError("invalid_request", `auth.values.${name} is not used by the template "${template}": it takes ${expected}`)
    }
  }
}

function namesIn(text: string): string[] {
  const names = [...text.matchAll(valueReference)].map((match) => match[1] ?? "")
  return names.flatMap((name) => (name.startsWith("base64(") ? ["username", "password"] : [name]))
}

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(valueReference, (_, name: string) => {
    if (name.startsWith("base64(")) return Buffer.from(`${values["username"] ?? ""}:${values["password"] ?? ""}`).toString("base64")
    return Object.hasOwn(values, name) ? (values[name] ?? "") : ""
  })
