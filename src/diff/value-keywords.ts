// Compares the keywords of a schema that judge a value by itself: its type, its literals, its bounds.
import { isSameJson } from "./json-equal.ts"
import { report } from "./schema-walk.ts"
import type { Walk } from "./schema-walk.ts"

type Raw = Readonly<Record<string, unknown>>
export type Keywords = { readonly before: Raw; readonly after: Raw; readonly path: readonly string[] }

type Compare = (keyword: string, keywords: Keywords, walk: Walk) => void

const raised = (before: number, after: number): boolean => after > before
const lowered = (before: number, after: number): boolean => after < before

/** How each of them is compared. */
export const valueKeywords: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ["type", (_, keywords, walk) => compareTypes(keywords, walk)],
  ["enum", (_, keywords, walk) => compareLiterals(keywords, walk)],
  // Beside an `enum` it was compared with it.
  ["const", (_, keywords, walk) => void (hasEnum(keywords) || compareLiterals(keywords, walk))],
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"].map((name) => [name, boundBy(raised)] as const),
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"].map((name) => [name, boundBy(lowered)] as const),
  ...["pattern", "format", "multipleOf", "uniqueItems"].map((name) => [name, compareTest] as const),
])

const hasEnum = ({ before, after }: Keywords): boolean => before["enum"] !== undefined || after["enum"] !== undefined

function compareTypes({ before, after, path }: Keywords, walk: Walk): void {
  const [was, is] = [before["type"], after["type"]]
  if (isSameJson(was, is)) return
  const [old, now] = [typesOf(was), typesOf(is)]
  const lost = old.filter((type) => !allows(now, type))
  const gained = now.filter((type) => !allows(old, type))
  const place = [...path, "type"]
  if (is === undefined) return report(walk, "wider", place, "Any type is allowed now", was, is)
  if (was === undefined) return report(walk, "narrower", place, `Only ${listed(now)} is allowed now`, was, is)
  if (lost.length > 0) report(walk, "narrower", place, `The type ${listed(lost)} is no longer allowed`, was, is)
  if (gained.length > 0) report(walk, "wider", place, `The type ${listed(gained)} is allowed now`, was, is)
}

const typesOf = (raw: unknown): string[] => [raw].flat().map(String)
const allows = (types: readonly string[], type: string): boolean => types.includes(type) || (type === "integer" && types.includes("number"))

/** `const` is a list of one. */
const literalsOf = (raw: Raw): readonly unknown[] | undefined =>
  Object.hasOwn(raw, "const") ? [raw["const"]] : Array.isArray(raw["enum"]) ? (raw["enum"] as unknown[]) : undefined

function compareLiterals({ before, after, path }: Keywords, walk: Walk): void {
  const [was, is] = [literalsOf(before), literalsOf(after)]
  if (was === undefined && is === undefined) return
  const place = [...path, Object.hasOwn(after, "const") ? "const" : "enum"]
  if (is === undefined) return report(walk, "wider", place, "Other values than the listed ones are allowed now", was, is)
  if (was === undefined) return report(walk, "narrower", place, "Only listed values are allowed now", was, is)
  const [old, now] = [keysOf(was), keysOf(is)]
  const lost = [...old].filter(([key]) => !now.has(key)).map(([, value]) => value)
  const gained = [...now].filter(([key]) => !old.has(key)).map(([, value]) => value)
  if (lost.length > 0) report(walk, "narrower", place, `No longer a value: ${values(lost)}`, was, is)
  if (gained.length > 0) report(walk, "wider", place, `New value: ${values(gained)}`, was, is)
}

const keysOf = (literals: readonly unknown[]): Map<string, unknown> =>
  new Map(literals.map((value) => [JSON.stringify(value) ?? "", value]))

function boundBy(isNarrower: (before: number, after: number) => boolean): Compare {
  return (keyword, keywords, walk) => compareBound(keyword, keywords, isNarrower, walk)
}

function compareBound(keyword: string, keywords: Keywords, isNarrower: (before: number, after: number) => boolean, walk: Walk): void {
  const { before, after, path } = keywords
  const [was, is] = [before[keyword], after[keyword]]
  if (isSameJson(was, is)) return
  const place = [...path, keyword]
  if (is === undefined) return report(walk, "wider", place, `${keyword} is gone`, was, is)
  if (was === undefined) return report(walk, "narrower", place, `${keyword} is new`, was, is)
  // Before 2019 some bounds were flags.
  if (typeof was !== "number" || typeof is !== "number") return report(walk, "other", place, `${keyword} changed`, was, is)
  report(walk, isNarrower(was, is) ? "narrower" : "wider", place, `${keyword} is ${is} instead of ${was}`, was, is)
}

function compareTest(keyword: string, { before, after, path }: Keywords, walk: Walk): void {
  const [was, is] = [before[keyword], after[keyword]].map((value) => (value === false ? undefined : value))
  if (isSameJson(was, is)) return
  const place = [...path, keyword]
  if (is === undefined) return report(walk, "wider", place, `${keyword} is gone`, was, is)
  if (was === undefined) return report(walk, "narrower", place, `${keyword} is new`, was, is)
  report(walk, "other", place, `${keyword} changed`, was, is)
}

const valuesShownMax = 5
const values = (some: readonly unknown[]): string => {
  const shown = some.slice(0, valuesShownMax).map((value) => (JSON.stringify(value) ?? "").slice(0, 50))
  return `${shown.join(", ")}${some.length > valuesShownMax ? ` and ${some.length - valuesShownMax} more` : ""}`
}
const listed = (types: readonly string[]): string => types.join(" or ")
