// Which of the ways of authenticating that an integration offers a new connection uses.
import type { AuthOption, AuthTemplate, Placement } from "../../../core/auth.ts"
import { askChoice } from "../prompt/prompt.ts"
import type { Screen } from "../print/screen.ts"
import { UsageError } from "../usage-error.ts"

export type AuthRequest = {
  readonly template?: AuthTemplate
  /** The name that the source gives the way that is meant. */
  readonly scheme?: string
  readonly placements: readonly Placement[]
  /** Whether a secret comes from stdin or a variable: then it is not `none` that is meant. */
  readonly bringsSecret: boolean
}

export type ChosenAuth = {
  readonly template: AuthTemplate
  /** Which values it needs. */
  readonly names: readonly string[]
  readonly placements?: readonly Placement[]
}

const usualNames: Record<AuthTemplate, readonly string[]> = {
  none: [],
  bearer: ["token"],
  oauth2: ["token"],
  api_key: ["key"],
  basic: ["username", "password"],
  custom: [],
}

export async function chooseAuth(offered: readonly AuthOption[], request: AuthRequest, screen: Screen): Promise<ChosenAuth> {
  const { template, scheme, placements } = request
  if (placements.length > 0) return { template: template ?? "custom", names: namesIn(placements), placements }
  const fitting = offered.filter(
    (one) => (template === undefined || one.template === template) && (scheme === undefined || one.name === scheme),
  )
  if (scheme !== undefined && fitting.length === 0)
    throw new UsageError(`The integration does not offer '${scheme}'. Available: ${listOf(offered)}`)
  if (fitting.length === 0) return { template: template ?? "none", names: usualNames[template ?? "none"] }
  const option = onlyOne(fitting, request) ?? (await ask(fitting, screen))
  const isOneOfMany = offered.filter((one) => one.template === option.template).length > 1
  return { template: option.template, names: option.values, ...(isOneOfMany ? { placements: option.placements } : {}) }
}

/** Without a question: there is one, or one that the secret at hand can be for. */
function onlyOne(fitting: readonly AuthOption[], request: AuthRequest): AuthOption | null {
  const [first, second] = fitting
  if (first !== undefined && second === undefined) return first
  const forSecret = fitting.filter((one) => one.template !== "none" && one.template !== "oauth2")
  const [only] = forSecret
  return request.bringsSecret && only !== undefined && forSecret.length === 1 ? only : null
}

const ask = (fitting: readonly AuthOption[], screen: Screen): Promise<AuthOption> =>
  askChoice(
    { message: "How does it authenticate?", flag: `--auth, or --scheme with one of: ${listOf(fitting)}` },
    fitting.map((option) => ({ value: option, label: `${option.name} (${option.template})`, hint: option.description })),
    screen,
  )

const listOf = (options: readonly AuthOption[]): string => options.map((one) => `${one.name} (${one.template})`).join(", ") || "nothing"

function namesIn(placements: readonly Placement[]): string[] {
  const names = placements.flatMap(({ value }) =>
    [...value.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*|base64\(username:password\))\}/g)].map(([, name]) => name ?? ""),
  )
  return [...new Set(names.flatMap((name) => (name.startsWith("base64(") ? ["username", "password"] : [name])))]
}
