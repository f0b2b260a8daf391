// Turns the validator's list of errors into findings that a model can act on.
//
// The list is flat: an error of a keyword that applies other schemas is followed by theirs, and each names its
// place in the schema. So whatever stands below an `anyOf` is recognised by its prefix and told as one mismatch.
import type { OutputUnit } from "@cfworker/json-schema"
import { branchFinding } from "./issue-branch.ts"
import { keywordFindings } from "./issue-keyword.ts"
import type { Finding } from "./issue.ts"
import type { SchemaDocument } from "./schema-sanitise.ts"
import { argsPlace, schemaPlace } from "./unit-place.ts"

export type Translation = { readonly args: unknown; readonly document: SchemaDocument; readonly findingsMax: number }

/** A hostile schema can make the validator report far more than anybody reads. */
const unitsMax = 2000

/** They only say that something below them failed. */
const wrapping = new Set(
  "$ref allOf if properties additionalProperties unevaluatedProperties dependentSchemas items prefixItems unevaluatedItems".split(" "),
)

export function translateUnits(units: readonly OutputUnit[], translation: Translation): Finding[] {
  const findings: Finding[] = []
  const considered = units.slice(0, unitsMax)
  for (let index = 0; index < considered.length && findings.length < translation.findingsMax;) {
    const unit = considered[index]
    if (unit === undefined) break
    const end = isSummary(unit) ? endOfSubtree(considered, index) : index + 1
    if (!wrapping.has(unit.keyword)) {
      for (const finding of translateUnit(unit, considered.slice(index + 1, end), translation))
        if (isNew(finding, findings)) findings.push(finding)
    }
    index = end
  }
  return findings
}

const isSummary = (unit: OutputUnit): boolean => unit.keyword === "anyOf" || unit.keyword === "propertyNames"

function endOfSubtree(units: readonly OutputUnit[], start: number): number {
  const prefix = `${units[start]?.keywordLocation}/`
  const next = units.findIndex((unit, index) => index > start && !unit.keywordLocation.startsWith(prefix))
  return next === -1 ? units.length : next
}

function translateUnit(unit: OutputUnit, below: readonly OutputUnit[], translation: Translation): Finding[] {
  const schema = schemaPlace(unit.keywordLocation, translation.document)
  if (schema === null || schema.isSearch) return []
  const place = argsPlace(unit.instanceLocation, translation.args)
  if (unit.keyword === "anyOf") {
    const alternatives = schema.node.anyOf ?? []
    const failures = failuresByBranch(unit.keywordLocation, below, alternatives.length, translation)
    return branchFinding({ place, alternatives, failures })
  }
  const named = below[0] === undefined ? null : argsPlace(below[0].instanceLocation, translation.args)
  return keywordFindings(unit.keyword, { schema, place, named, document: translation.document })
}

/** What is wrong with each alternative; nothing where its errors are past those that are read. */
function failuresByBranch(location: string, units: readonly OutputUnit[], count: number, translation: Translation): Finding[][] {
  const grouped = Map.groupBy(units, (unit) => Number(unit.keywordLocation.slice(location.length + 1).split("/", 1)[0]))
  return Array.from({ length: count }, (_, index) => {
    const group = grouped.get(index)
    return group === undefined ? [] : translateUnits(group, { ...translation, findingsMax: 5 })
  })
}

/** A wrong type explains every other complaint about the same value, and one complaint of a kind is enough. */
function isNew(finding: Finding, known: readonly Finding[]): boolean {
  const { path, code } = finding.issue
  return !known.some(({ issue }) => {
    if (issue.path === path && (issue.code === code || issue.code === "wrong_type")) return true
    // The validator counts a property as unevaluated when its value does not fit.
    return code === "unexpected_field" && (issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`))
  })
}
