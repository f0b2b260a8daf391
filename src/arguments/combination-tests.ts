// Tests of the schemas that one schema applies to the same value: references, alternatives and conditions.
import { branchFindings } from "./issue-branch.ts"
import { invalidValue, pathOf } from "./issue-text.ts"
import { readList } from "./schema-keyword.ts"
import { subschemaOf } from "./schema-ref.ts"
import type { References } from "./schema-ref.ts"
import { add, checkSame, collect, decide, every, leftOut, report, withoutFormats } from "./walk.ts"
import type { Evaluated, Subschema, Test, Walk } from "./walk.ts"

type Raw = Record<string, unknown>

/** Enough to tell which alternative comes closest. */
const branchFindingsMax = 5

export function combinationTests(raw: Raw, references: References): (Test | null)[] {
  const { $ref, not } = raw
  const allOf = readList(raw["allOf"]).map(subschemaOf)
  return [
    typeof $ref === "string" ? referenceTest(references.lead($ref)) : null,
    allOf.length === 0 ? null : (value, depth, walk) => every(allOf, walk, (schema) => checkSame(schema, value, depth, walk)),
    alternativesTest(readList(raw["anyOf"]).map(subschemaOf), "any"),
    alternativesTest(readList(raw["oneOf"]).map(subschemaOf), "one"),
    not === undefined ? null : notTest(subschemaOf(not)),
    conditionTest(raw),
  ]
}

const referenceTest =
  (target: Subschema | null): Test =>
  (value, depth, walk) =>
    target === null ? leftOut(walk) : checkSame(target, value, depth, walk)

/**
 * `oneOf` is read as `anyOf`. Documents use it for alternatives that overlap, where nothing fits exactly one,
 * and upstreams accept what fits several.
 */
function alternativesTest(alternatives: readonly Subschema[], wanted: "any" | "one"): Test | null {
  if (alternatives.length === 0) return null
  return (value, depth, walk) => {
    const needsAll = walk.evaluated !== null || (wanted === "one" && walk.isLiteral)
    const fitting = countFitting(alternatives, value, depth, walk, needsAll ? alternatives.length : 1)
    if (fitting > 1 && wanted === "one") walk.run.isUnsure = true
    if (fitting > 0) return true
    if (walk.findings === null) return false
    const failures = alternatives.map((schema) =>
      collect(branchFindingsMax, walk, (branch) => {
        checkSame(schema, value, depth, branch)
      }),
    )
    for (const finding of branchFindings({ path: pathOf(walk.run.path, depth), value, alternatives, failures })) add(finding, walk)
    return false
  }
}

function countFitting(alternatives: readonly Subschema[], value: unknown, depth: number, walk: Walk, wanted: number): number {
  const { run } = walk
  const quiet = walk.quiet ?? walk
  let fitting = 0
  for (const schema of alternatives) {
    const wasUnsure = run.isUnsure
    const evaluated = walk.evaluated === null ? null : nothingEvaluated()
    if (checkSame(schema, value, depth, evaluated === quiet.evaluated ? quiet : { ...quiet, evaluated })) {
      addEvaluated(walk.evaluated, evaluated)
      if (++fitting === wanted) return fitting
    } else run.isUnsure = wasUnsure
  }
  return fitting
}

const notTest =
  (schema: Subschema): Test =>
  (value, depth, walk) => {
    const answer = decide(schema, value, depth, walk, null)
    if (answer === "yes") return report(walk, depth, (path) => invalidValue(path, value, () => "has a value that the schema excludes"))
    if (answer === "unsure") walk.run.isUnsure = true
    return true
  }

/** Even without consequences a condition tells which properties were evaluated. */
function conditionTest(raw: Raw): Test | null {
  if (raw["if"] === undefined) return null
  const condition = subschemaOf(raw["if"])
  const consequences = { yes: subschemaOf(raw["then"]), no: subschemaOf(raw["else"]) }
  return (value, depth, walk) => {
    const evaluated = walk.evaluated === null ? null : nothingEvaluated()
    const answer = decide(condition, value, depth, walk, evaluated)
    if (answer === "unsure") return leftOut(walk)
    if (answer === "yes") addEvaluated(walk.evaluated, evaluated)
    return checkSame(consequences[answer], value, depth, withoutFormats(walk))
  }
}

/** For a schema that asks what the others have evaluated. */
export function evaluatingTest(test: Test): Test {
  return (value, depth, walk) => {
    const evaluated = nothingEvaluated()
    const fits = test(value, depth, { ...withoutFormats(walk), evaluated })
    addEvaluated(walk.evaluated, evaluated)
    return fits
  }
}

const nothingEvaluated = (): Evaluated => ({ keys: new Set(), isAll: false })

function addEvaluated(all: Evaluated | null, more: Evaluated | null): void {
  if (all === null || more === null) return
  for (const key of more.keys) all.keys.add(key)
  all.isAll ||= more.isAll
}
