// Explains why none of several alternatives matches, and which comes closest.
import { isRecord } from "../core/json/record.ts"
import type { Finding } from "./issue.ts"
import { branchMismatch, notAmongValues, shorten, wrongType } from "./issue-text.ts"
import { refName } from "./schema-ref.ts"
import type { Subschema } from "./walk.ts"

export type BranchFailure = {
  readonly path: string
  readonly value: unknown
  readonly alternatives: readonly Subschema[]
  /** What is wrong with each alternative. */
  readonly failures: readonly Finding[][]
}

export function branchFindings({ path, value, alternatives, failures }: BranchFailure): Finding[] {
  if (failures.length === 1) return failures[0] ?? []
  const merged = mergeFindings(path, value, failures)
  if (merged !== null) return [merged]
  // Who gave something did not mean null, so that only what else was expected is worth telling.
  const meant = failures.filter((findings) => !expectsNull(findings, path))
  if (meant.length === 1 && meant.length < failures.length) return meant[0] ?? []
  return [branchMismatch(path, value, () => `matches none of its ${failures.length} alternatives${whyNone(path, alternatives, failures)}`)]
}

function whyNone(path: string, alternatives: readonly Subschema[], failures: readonly Finding[][]): string {
  const discriminator = wrongDiscriminator(path, failures)
  if (discriminator !== null) return `: ${discriminator}`
  const closest = closestBranch(path, failures)
  const [first, ...others] = failures[closest] ?? []
  const why = first === undefined ? "" : `: ${first.message()}${others.length > 0 ? ` (and ${others.length} more)` : ""}`
  return `; the closest is ${branchName(alternatives[closest]?.raw, closest)}${why}`
}

const expectsNull = (findings: readonly Finding[], path: string): boolean =>
  findings.length === 1 &&
  findings.every(
    (finding) =>
      finding.path === path &&
      finding.expected.kind === "types" &&
      finding.expected.types.length === 1 &&
      finding.expected.types[0] === "null",
  )

/** `string or null` is one expectation to a reader, however the schema spells it. */
function mergeFindings(path: string, value: unknown, failed: readonly (readonly Finding[])[]): Finding | null {
  const singles = failed.map((findings) => (findings.length === 1 ? findings[0] : undefined))
  const types = new Set<string>()
  const values: unknown[] = []
  for (const finding of singles) {
    if (finding === undefined || finding.path !== path || finding.expected.kind === "other") return null
    if (finding.expected.kind === "types") for (const type of finding.expected.types) types.add(type)
    else for (const allowed of finding.expected.values) values.push(allowed)
  }
  if (values.length === 0) return wrongType(path, [...types], value)
  types.delete("null")
  if (types.size > 0) return null
  const hasNull = singles.some((finding) => finding?.expected.kind === "types")
  return notAmongValues(path, hasNull ? [...values, null] : values, value)
}

/** When each alternative of the right kind asks for another constant in one place, that place is what is wrong. */
function wrongDiscriminator(path: string, failed: readonly (readonly Finding[])[]): string | null {
  const ofKind = failed.filter((findings) => !findings.some((finding) => finding.code === "wrong_type" && finding.path === path))
  const constants = ofKind.map((findings) => findings.filter(({ expected }) => expected.kind === "values" && expected.values.length === 1))
  const first = constants[0]?.[0]
  if (first === undefined || ofKind.length < 2) return null
  const same = constants.flatMap((findings) => findings.find((finding) => finding.path === first.path) ?? [])
  if (same.length < ofKind.length) return null
  const values = same.flatMap(({ expected }) => (expected.kind === "values" ? expected.values : []))
  return notAmongValues(first.path, values, first.found).message()
}

/** The alternative with the least wrong. A wrong kind of value, or a wrong constant, means that another one was meant. */
function closestBranch(path: string, failed: readonly (readonly Finding[])[]): number {
  const scores = failed.map((findings) => findings.reduce((sum, finding) => sum + weightOf(finding, path), findings.length === 0 ? 100 : 0))
  return scores.indexOf(Math.min(...scores))
}

function weightOf({ code, path: place, expected }: Finding, path: string): number {
  if (code === "wrong_type") return place === path ? 50 : 3
  if (code === "invalid_enum") return expected.kind === "values" && expected.values.length === 1 ? 20 : 3
  return code === "unexpected_field" ? 2 : 1
}

/** What tells an alternative from the others is among its first properties. */
const namesRead = 20

function branchName(raw: unknown, index: number): string {
  const ordinal = `alternative ${index + 1}`
  if (!isRecord(raw)) return ordinal
  if (typeof raw["title"] === "string") return `'${shorten(raw["title"])}'`
  if (typeof raw["$ref"] === "string") return `'${shorten(refName(raw["$ref"]))}'`
  const properties = isRecord(raw["properties"]) ? raw["properties"] : {}
  for (const name of Object.keys(properties).slice(0, namesRead)) {
    const property = properties[name]
    const constants = isRecord(property) ? [property["const"] ?? property["enum"]].flat() : []
    if (constants.length === 1 && typeof constants[0] === "string")
      return `${ordinal} (${shorten(name)}: ${JSON.stringify(shorten(constants[0]))})`
  }
  return ordinal
}
