// Builds the URL of a call: base, path with its values, query.
import type { Placement } from "../../../core/auth.ts"
import type { BoundParameter } from "../binding.ts"
import { formPairs } from "./body-form.ts"
import { contentKind, essenceOf } from "../../media-type.ts"
import type { RequestBase, RequestPlan } from "./request-plan.ts"
import type { Args } from "./serialize-argument.ts"
import { argOf, contentText } from "./serialize-argument.ts"
import { encodeName, encodeReserved, encodeValue } from "./serialize-encode.ts"
import { ArgumentProblem } from "./serialize-problem.ts"
import type { Pair } from "./serialize-style.ts"
import { expand, isPresent, membersOf, pairsOf, textOf } from "./serialize-style.ts"

export function buildUrl(plan: RequestPlan, base: RequestBase, args: Args, placements: readonly Placement[]): string {
  const path = plan.path.map((part) => (typeof part === "string" ? part : pathText(part, args))).join("")
  const query = buildQuery(plan, base, args, placements)
  const joiner = query === "" ? "" : plan.hasQuery ? "&" : "?"
  return `${base.origin}${base.prefix}${path}${joiner}${query}`
}

/** What the config and the credential say stands, whatever an argument of the same name says. */
function buildQuery(plan: RequestPlan, base: RequestBase, args: Args, placements: readonly Placement[]): string {
  if (plan.query.length === 0 && base.query.length === 0 && placements.length === 0) return ""
  const placed = placements
    .filter((placement) => placement.in === "query")
    .map((placement): Pair => ({ name: placement.name, text: `${encodeName(placement.name)}=${encodeValue(placement.value)}` }))
  const taken = new Set([...base.query, ...placed].map(({ name }) => name))
  const given = plan.query.flatMap((parameter) => queryPairs(parameter, args)).filter(({ name }) => !taken.has(name))
  return [...base.query, ...given, ...placed].map(({ text }) => text).join("&")
}

function queryPairs(parameter: BoundParameter, args: Args): readonly Pair[] {
  const value = argOf(parameter, args)
  if (!isPresent(value)) return []
  if (parameter.in === "querystring") return wholeQuery(parameter, value)
  if (parameter.contentType === null) return pairsOf(parameter, value, parameter.allowReserved ? encodeReserved : encodeValue, encodeName)
  return [{ name: parameter.name, text: `${encodeName(parameter.name)}=${encodeValue(contentText(value, parameter.contentType))}` }]
}

/** A parameter that is the query as a whole has no name in it. */
function wholeQuery({ contentType }: BoundParameter, value: unknown): readonly Pair[] {
  const isForm = contentType === null || contentKind(essenceOf(contentType)) === "form"
  if (isForm && typeof value === "object") return formPairs(value, {})
  const text = isForm ? encodeWhole(textOf(value)) : encodeValue(contentText(value, contentType))
  return text === "" ? [] : [{ name: "", text }]
}

/** Text that is a query already keeps its `&` and `+`. */
const encodeWhole = (text: string): string => encodeReserved(text).replace(/%26/g, "&").replace(/%2B/g, "+")

function pathText(parameter: BoundParameter, args: Args): string {
  const value = argOf(parameter, args)
  for (const text of scalarsOf(value)) {
    if (hasDotSegment(text)) throw dotProblem(parameter.arg)
  }
  const text =
    parameter.contentType === null ? expand(parameter, value, encodeValue) : encodeValue(contentText(value, parameter.contentType))
  if (text === null || text === "" || value === "")
    throw new ArgumentProblem(parameter.arg, `Path parameter '${parameter.arg}' must not be empty`)
  if (text === "." || text === "..") throw dotProblem(parameter.arg)
  return text
}

const dotProblem = (arg: string): ArgumentProblem =>
  new ArgumentProblem(arg, `Path parameter '${arg}' must not be or contain the path segment '.' or '..'`)

function scalarsOf(value: unknown): readonly string[] {
  const members = membersOf(value)
  if (members.kind === "none") return []
  if (members.kind === "scalar") return [members.text]
  return members.kind === "list" ? members.items : members.entries.flat()
}

/** Also when it is percent-encoded, because upstreams and what stands before them decode more than once. */
export function hasDotSegment(text: string): boolean {
  let plain = text
  for (let round = 0; plain.includes("%"); round += 1) {
    const decoded = plain.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (decoded === plain) break
    // Nobody encodes so often without wanting to hide something.
    if (round === decodingsMax) return true
    plain = decoded
  }
  return plain.split(/[/\\]/).some((segment) => segment === "." || segment === "..")
}

const decodingsMax = 8
