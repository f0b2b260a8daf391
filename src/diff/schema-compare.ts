// Compares two schemas keyword by keyword; what they refer to is left to whoever follows references.
//
// Every keyword says by itself whether it allows more or less than before, so that a schema is wider only where all of
// them are. Of several alternatives one is enough, of parts all count, and `oneOf` is read as `anyOf`, because
// alternatives that exclude each other are how it is used. A keyword that is not known here may mean anything.
import { isRecord } from "../core/json/record.ts"
import { isSameJson } from "./json-equal.ts"
import { report } from "./schema-walk.ts"
import type { Side, Walk } from "./schema-walk.ts"
import { valueKeywords } from "./value-keywords.ts"

type Raw = Readonly<Record<string, unknown>>
type Path = readonly string[]

const depthMax = 100
const texts = new Set(["title", "description", "examples", "example", "$comment", "$schema", "deprecated", "externalDocs"])
const ignored = new Set(["$ref", "$defs", "definitions"])
const ofObjects = new Set(["properties", "required", "additionalProperties"])

export function compareSchemas(before: unknown, after: unknown, path: Path, walk: Walk): void {
  walk.spend()
  const [was, is] = [rawOf(before), rawOf(after)]
  if (was === null || is === null || path.length > depthMax) {
    if (!isSameJson(before, after)) report(walk, "other", path, "The schema changed", before, after)
    return
  }
  if (isNever(before) || isNever(after)) {
    if (isNever(before) && isNever(after)) return
    const [sense, message] = isNever(after) ? (["narrower", "Is no longer allowed"] as const) : (["wider", "Is allowed now"] as const)
    return report(walk, sense, path, message, before, after)
  }
  if (!compareReferences(was, is, path, walk)) return
  const keywords = { before: was, after: is, path }
  let hasObjects = false
  for (const keyword of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const compareValue = valueKeywords.get(keyword)
    if (compareValue !== undefined) compareValue(keyword, keywords, walk)
    else if (texts.has(keyword)) compareTexts(was, is, keyword, path, walk)
    else if (ofObjects.has(keyword)) hasObjects = true
    else if (!ignored.has(keyword)) (others.get(keyword) ?? compareOpaque)(was, is, keyword, path, walk)
  }
  if (hasObjects) compareObjects(was, is, path, walk)
}

type Compare = (was: Raw, is: Raw, keyword: string, path: Path, walk: Walk) => void

const others = new Map<string, Compare>([
  ["default", compareDefault],
  ["items", compareItems],
  ["anyOf", compareAlternatives],
  ["oneOf", compareAlternatives],
  ["allOf", compareParts],
])

function compareTexts(was: Raw, is: Raw, keyword: string, path: Path, walk: Walk): void {
  if (!isSameJson(was[keyword], is[keyword])) report(walk, "text", [...path, keyword], `The ${keyword} changed`, was[keyword], is[keyword])
}

/** `true` is a schema without keywords; null is none at all. */
const rawOf = (schema: unknown): Raw | null => (typeof schema === "boolean" ? {} : isRecord(schema) ? schema : null)
const isNever = (schema: unknown): boolean => schema === false

/** False where nothing else is to be compared. */
function compareReferences(was: Raw, is: Raw, path: Path, walk: Walk): boolean {
  const [old, now] = [was["$ref"], is["$ref"]]
  if (old === undefined && now === undefined) return true
  if (typeof old === "string" && typeof now === "string") {
    walk.pairs.push({ before: { ref: old }, after: { ref: now }, direction: walk.direction, path })
    return true
  }
  const [before, after] = [sideOf(was), sideOf(is)]
  if (before === null || after === null) report(walk, "other", [...path, "$ref"], "What it refers to changed", old, now)
  else walk.pairs.push({ before, after, direction: walk.direction, path })
  return false
}

/** Null where a reference is only a part of what the schema says. */
function sideOf(raw: Raw): Side | null {
  if (typeof raw["$ref"] !== "string") return { schema: raw }
  return Object.keys(raw).every((keyword) => keyword === "$ref" || texts.has(keyword)) ? { ref: raw["$ref"] } : null
}

/** What happens without a value follows from it. */
function compareDefault(was: Raw, is: Raw, _keyword: string, path: Path, walk: Walk): void {
  const [old, now] = [was["default"], is["default"]]
  if (isSameJson(old, now)) return
  report(
    walk,
    old === undefined ? "text" : "other",
    [...path, "default"],
    old === undefined ? "It has a default now" : "The default changed",
    old,
    now,
  )
}

function compareObjects(was: Raw, is: Raw, path: Path, walk: Walk): void {
  const [old, now] = [mapOf(was["properties"]), mapOf(is["properties"])]
  const place = [...path, "properties"]
  for (const [name, schema] of old) {
    if (now.has(name)) compareSchemas(schema, now.get(name), [...place, name], walk)
    else report(walk, "other", [...place, name], `The property '${name}' is gone`, schema)
  }
  const rest = was["additionalProperties"]
  for (const [name, schema] of now) {
    if (old.has(name)) continue
    report(walk, "extended", [...place, name], `The property '${name}' is new`, undefined, schema)
    if (isRecord(rest)) compareSchemas(rest, schema, [...place, name], walk)
  }
  compareRequired(namesOf(was["required"]), namesOf(is["required"]), [...path, "required"], walk)
  compareIf(was, is, "additionalProperties", path, walk)
}

function compareRequired(old: ReadonlySet<string>, now: ReadonlySet<string>, path: Path, walk: Walk): void {
  for (const name of now) if (!old.has(name)) report(walk, "narrower", path, `The property '${name}' is required now`, undefined, name)
  for (const name of old) if (!now.has(name)) report(walk, "wider", path, `The property '${name}' is no longer required`, name)
}

/** In old schemas a list, whose places have schemas of their own. */
function compareItems(was: Raw, is: Raw, keyword: string, path: Path, walk: Walk): void {
  if (Array.isArray(was[keyword]) || Array.isArray(is[keyword])) compareOpaque(was, is, keyword, path, walk)
  else compareIf(was, is, keyword, path, walk)
}

/** Where it is not said, anything goes. */
function compareIf(was: Raw, is: Raw, keyword: string, path: Path, walk: Walk): void {
  if (was[keyword] !== undefined || is[keyword] !== undefined)
    compareSchemas(was[keyword] ?? true, is[keyword] ?? true, [...path, keyword], walk)
}

function compareAlternatives(was: Raw, is: Raw, keyword: string, path: Path, walk: Walk): void {
  const [all, now] = [was[keyword], is[keyword]]
  const place = [...path, keyword]
  if (all === undefined) return report(walk, "narrower", place, "Only listed alternatives are allowed now", undefined, now)
  if (now === undefined) return report(walk, "wider", place, "Other than the listed alternatives are allowed now", all)
  if (!Array.isArray(all) || !Array.isArray(now)) return compareOpaque(was, is, keyword, path, walk)
  // What is on both sides is the same alternative, wherever and however often it stands; the rest is paired in order if that is possible.
  const rest = new Map(now.map((schema: unknown, at) => [JSON.stringify(schema), { schema, at }]))
  const old: unknown[] = []
  for (const [text, schema] of new Map(all.map((one: unknown) => [JSON.stringify(one), one]))) {
    const same = rest.get(text)
    rest.delete(text)
    if (same === undefined) old.push(schema)
    else compareSchemas(schema, same.schema, [...place, `${same.at}`], walk)
  }
  const left = [...rest.values()]
  if (old.length === left.length)
    return left.forEach(({ schema, at }, index) => compareSchemas(old[index], schema, [...place, `${at}`], walk))
  for (const schema of old) report(walk, "narrower", place, "An alternative is gone", schema)
  for (const { schema, at } of left) report(walk, "wider", [...place, `${at}`], "An alternative is new", undefined, schema)
}

function compareParts(was: Raw, is: Raw, keyword: string, path: Path, walk: Walk): void {
  const [old, now] = [was["allOf"] ?? [], is["allOf"] ?? []]
  if (!Array.isArray(old) || !Array.isArray(now)) return compareOpaque(was, is, keyword, path, walk)
  for (let at = 0; at < Math.max(old.length, now.length); at += 1)
    compareSchemas(at < old.length ? old[at] : true, at < now.length ? now[at] : true, [...path, "allOf", `${at}`], walk)
}

/** Equal texts may still refer to what changed. */
function compareOpaque(was: Raw, is: Raw, keyword: string, path: Path, walk: Walk): void {
  const place = [...path, keyword]
  if (!isSameJson(was[keyword], is[keyword])) return report(walk, "other", place, `${keyword} changed`, was[keyword], is[keyword])
  const pending: unknown[] = [was[keyword]]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null) continue
    walk.spend()
    if (isRecord(value) && typeof value["$ref"] === "string") {
      const side = { ref: value["$ref"] }
      walk.pairs.push({ before: side, after: side, direction: "unknown", path: place })
    }
    for (const inner of Object.values(value)) if (inner !== undefined) pending.push(inner)
  }
}

const mapOf = (raw: unknown): ReadonlyMap<string, unknown> => new Map(isRecord(raw) ? Object.entries(raw) : [])
const namesOf = (raw: unknown): ReadonlySet<string> => new Set(Array.isArray(raw) ? raw.filter((name) => typeof name === "string") : [])
