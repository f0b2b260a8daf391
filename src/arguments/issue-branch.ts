// Explains why none of several alternatives matches, and which comes closest.
import type { Finding } from "./issue.ts"
import { branchMismatch, notAmongValues, shorten, wrongType } from "./issue-text.ts"
import type { SubSchema } from "./schema-node.ts"
import { refName } from "./schema-ref.ts"
import type { ArgsPlace } from "./unit-place.ts"

export type BranchFailure = {
  readonly place: ArgsPlace
  readonly alternatives: readonly SubSchema[]
  /** What is wrong with each alternative. */
  readonly failures: readonly Finding[][]
}

export function branchFinding({ place, alternatives, failures: failed }: BranchFailure): Finding[] {
  if (failed.length === 1) return failed[0] ?? []
  const merged = mergeFindings(place, failed)
  if (merged !== null) return [merged]
  // Who gave something did not mean null, so that only what else was expected is worth telling.
  const meant = failed.filter((findings) => !expectsNull(findings, place.path))
  if (meant.length === 1 && meant.length < failed.length) return meant[0] ?? []
  const discriminator = wrongDiscriminator(place, failed)
  if (discriminator !== null)
    return [branchMismatch(place.path, `matches none of its ${failed.length} alternatives: ${discriminator}`, place.value)]
  const closest = closestBranch(place.path, failed)
  const [first, ...rest] = failed[closest] ?? []
  const why = first === undefined ? "" : `: ${first.issue.message}${rest.length > 0 ? ` (and ${rest.length} more)` : ""}`
  const name = branchName(alternatives[closest], closest)
  return [branchMismatch(place.path, `matches none of its ${failed.length} alternatives; the closest is ${name}${why}`, place.value)]
}

const expectsNull = (findings: readonly Finding[], path: string): boolean =>
  findings.length === 1 &&
  findings.every(
    ({ issue, expected }) =>
      issue.path === path && expected.kind === "types" && expected.types.length === 1 && expected.types[0] === "null",
  )

/** `string or null` is one expectation to a reader, however the schema spells it. */
function mergeFindings(place: ArgsPlace, failed: readonly (readonly Finding[])[]): Finding | null {
  const singles = failed.map((findings) => (findings.length === 1 ? findings[0] : undefined))
  const types = new Set<string>()
  const values: unknown[] = []
  for (const finding of singles) {
    if (finding === undefined || finding.issue.path !== place.path || finding.expected.kind === "other") return null
    if (finding.expected.kind === "types") for (const type of finding.expected.types) types.add(type)
    else for (const value of finding.expected.values) values.push(value)
  }
  if (values.length === 0) return wrongType(place.path, [...types], place.value)
  types.delete("null")
  if (types.size > 0) return null
  const hasNull = singles.some((finding) => finding?.expected.kind === "types")
  return notAmongValues(place.path, hasNull ? [...values, null] : values, place.value)
}

/** When each alternative of the right kind asks for another constant in one place, that place is what is wrong. */
function wrongDiscriminator(place: ArgsPlace, failed: readonly (readonly Finding[])[]): string | null {
  const ofKind = failed.filter((findings) => !findings.some(({ issue }) => issue.code === "wrong_type" && issue.path === place.path))
  const constants = ofKind.map((findings) => findings.filter(({ expected }) => expected.kind === "values" && expected.values.length === 1))
  const first = constants[0]?.[0]
  if (first === undefined || ofKind.length < 2) return null
  const { path } = first.issue
  const same = constants.flatMap((findings) => findings.find(({ issue }) => issue.path === path) ?? [])
  if (same.length < ofKind.length) return null
  const values = same.flatMap(({ expected }) => (expected.kind === "values" ? expected.values : []))
  return notAmongValues(path, values, first.found).issue.message
}

/** The alternative with the least wrong. A wrong kind of value, or a wrong constant, means that another one was meant. */
function closestBranch(path: string, failed: readonly (readonly Finding[])[]): number {
  const scores = failed.map((findings) => findings.reduce((sum, finding) => sum + weightOf(finding, path), findings.length === 0 ? 100 : 0))
  return scores.indexOf(Math.min(...scores))
}

function weightOf({ issue, expected }: Finding, path: string): number {
  if (issue.code === "wrong_type") return issue.path === path ? 50 : 3
  if (issue.code === "invalid_enum") return expected.kind === "values" && expected.values.length === 1 ? 20 : 3
  return issue.code === "unexpected_field" ? 2 : 1
}

/** What tells an alternative from the others is among its first properties. */
const namesRead = 20

function branchName(schema: SubSchema | undefined, index: number): string {
  const ordinal = `alternative ${index + 1}`
  if (schema === undefined || schema === true) return ordinal
  if (schema.title !== undefined) return `'${shorten(schema.title)}'`
  if (schema.$ref !== undefined) return `'${shorten(refName(schema.$ref))}'`
  for (const name of Object.keys(schema.properties ?? {}).slice(0, namesRead)) {
    const property = schema.properties?.[name]
    if (property === undefined || property === true) continue
    const constant = property.const ?? (property.enum?.length === 1 ? property.enum[0] : undefined)
    if (typeof constant === "string") return `${ordinal} (${shorten(name)}: ${JSON.stringify(shorten(constant))})`
  }
  return ordinal
}
