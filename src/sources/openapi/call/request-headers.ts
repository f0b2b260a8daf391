// Builds the headers of a call: from the arguments, overridden by the config and the credential.
import type { Placement } from "../../../core/auth.ts"
import type { BoundParameter } from "../binding.ts"
import type { RequestBase, RequestPlan } from "./request-plan.ts"
import type { Args } from "./serialize-argument.ts"
import { argOf, contentText, isJsonType } from "./serialize-argument.ts"
import { headerText } from "../../header-text.ts"
import { encodeCookie, hasControlCharacters } from "./serialize-encode.ts"
import { ArgumentProblem } from "./serialize-problem.ts"
import type { Pair } from "./serialize-style.ts"
import { expand, isPresent, pairsOf } from "./serialize-style.ts"
import { forbiddenHeaderNames } from "../../header-names.ts"

/** What an origin that was confirmed for the connection gets beside the arguments. */
export type Trust = { readonly headers: Readonly<Record<string, string>>; readonly placements: readonly Placement[] }

export function buildHeaders(
  plan: RequestPlan,
  base: RequestBase,
  args: Args,
  trust: Trust,
  contentType: string | null,
): Record<string, string> {
  const headers: Record<string, string> = { accept: plan.accept }
  for (const parameter of plan.headers) {
    const text = headerArgument(parameter, args)
    if (text !== null) headers[parameter.name.toLowerCase()] = headerText(text)
  }
  if (base.authorization !== null) headers["authorization"] = base.authorization
  for (const [name, value] of Object.entries(trust.headers)) headers[name.toLowerCase()] = headerText(value)
  for (const { in: place, name, value } of trust.placements) {
    if (place === "header") headers[name.toLowerCase()] = headerText(value)
  }
  const cookie = buildCookie(plan, args, trust.placements, headers["cookie"])
  if (cookie !== "") headers["cookie"] = cookie
  if (contentType !== null) headers["content-type"] = contentType
  return headers
}

function headerArgument(parameter: BoundParameter, args: Args): string | null {
  const value = argOf(parameter, args)
  if (!isPresent(value)) return null
  const name = parameter.name.toLowerCase()
  if (forbiddenHeaderNames.has(name) || name.startsWith("proxy-"))
    throw new ArgumentProblem(parameter.arg, `An argument may not set the header '${parameter.name}'`)
  const text = parameter.contentType === null ? expand(parameter, value, asIs) : headerContent(value, parameter.contentType)
  if (text !== null && hasControlCharacters(text))
    throw new ArgumentProblem(parameter.arg, `Header parameter '${parameter.arg}' must not hold control characters`)
  return text
}

const asIs = (text: string): string => text

/** JSON has escapes of its own for what a header cannot hold. */
const headerContent = (value: unknown, contentType: string): string =>
  isJsonType(contentType) ? asciiJson(contentText(value, contentType)) : contentText(value, contentType)

const asciiJson = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

function buildCookie(plan: RequestPlan, args: Args, placements: readonly Placement[], configured: string | undefined): string {
  const placed = placements.filter((placement) => placement.in === "cookie")
  const taken = new Set(placed.map(({ name }) => name))
  const given = plan.cookies.flatMap((parameter) => cookiePairs(parameter, args)).filter(({ name }) => !taken.has(name))
  const texts = [...given.map(({ text }) => text), ...placed.map(({ name, value }) => headerText(`${name}=${value}`))]
  return (configured === undefined ? texts : [configured, ...texts]).join("; ")
}

function cookiePairs(parameter: BoundParameter, args: Args): readonly Pair[] {
  const value = argOf(parameter, args)
  if (!isPresent(value)) return []
  if (parameter.contentType === null) return pairsOf(parameter, value, encodeCookie, encodeCookie)
  return [{ name: parameter.name, text: `${encodeCookie(parameter.name)}=${encodeCookie(contentText(value, parameter.contentType))}` }]
}
