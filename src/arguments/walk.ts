// One check under way: a schema and a value are walked together, each visit is paid from the budget of steps, and what
// is wrong becomes a finding where it is met.
//
// A test that fails is certain. A test that passes may not be, because some keywords are left to the upstream (see
// `schema-prepare.ts`): then the run is marked as unsure. That matters only below `not` and in conditions, where
// passing here would mean failing above.
import { isLongInteger } from "../core/json/long-integer.ts"
import { isExplained } from "./issue.ts"
import type { Finding } from "./issue.ts"
import { pathOf, wrongType } from "./issue-text.ts"

/** Without findings to add to (see `Walk`), a test may stop at the first failure. `depth` is that of the value in the arguments. */
export type Test = (value: unknown, depth: number, walk: Walk) => boolean

/** A part of a schema. Its tests are made when a value first comes to it: of the thousands that an API may have, a call touches few. */
export type Subschema = {
  readonly raw: unknown
  /** Nothing fits it. */
  readonly isNever: boolean
  /** The kinds of values that are allowed, as bits. */
  kinds: number
  /** All of `parts` in one. */
  test: Test | null
  parts: SubschemaParts
}

/** Tests by what they are about, for checks that leave some of them out. */
export type SubschemaParts = {
  readonly types: readonly string[]
  /** About the value itself. */
  readonly own: readonly Test[]
  /** About the names and values of properties. */
  readonly properties: Test
  /** The schemas that are applied to the same value. */
  readonly applied: readonly Test[]
  /** Stands for `own` when an integer that no number holds was given as a text of its digits. */
  readonly digits: Test
}

/** What a whole check shares. */
export type Run = {
  stepsLeft: number
  isUnsure: boolean
  /** How many schemas are being applied, one through the other. */
  nesting: number
  /** The steps that lead to the value; those from `depth` on are left over from others. */
  readonly path: (string | number)[]
  readonly prepare: (schema: Subschema, run: Run) => Test
}

/** A part of a check. */
export type Walk = {
  readonly run: Run
  /** Null when only the answer is wanted. */
  readonly findings: Finding[] | null
  readonly findingsMax: number
  /** What the schemas applied to the value at hand have evaluated; null when nobody asks. */
  readonly evaluated: Evaluated | null
  /** Below `not` and in conditions: digits are a text there. */
  readonly isLiteral: boolean
  /** Whether formats are checked; decision 17 tells where not. */
  readonly hasFormats: boolean
  /** Only the parameters themselves are checked, and not what is inside them. */
  readonly isShallow: boolean
  /** The same without findings; null when this is it. */
  readonly quiet: Walk | null
}

export type Evaluated = { readonly keys: Set<string | number>; isAll: boolean }

// About a microsecond is a step, as `bench/arguments.ts` measures it on a cold server.
const visitSteps = 1 / 20
const applySteps = 1 / 20
const findingSteps = 1
/** Schemas that apply each other this often would take the stack; a recursive schema applies two or three for each level of a value. */
const nestingMax = 400

/** The steps are spent, so that the rest is not checked. */
export const stepsSpent = new Error("The steps of this check are spent")
/** As much was found as is told. */
export const findingsFull = new Error("This check has found enough")

export function spend(run: Run, steps: number): void {
  run.stepsLeft -= steps
  if (run.stepsLeft < 0) throw stepsSpent
}

export function check(schema: Subschema, value: unknown, depth: number, walk: Walk): boolean {
  const { run } = walk
  const test = schema.test ?? run.prepare(schema, run)
  spend(run, visitSteps)
  const isOfKind = (schema.kinds & kindOf(value)) !== 0
  if (isOfKind && !walk.isShallow) return test === always || test(value, depth, walk)
  return checkInPart(schema, value, depth, walk, isOfKind)
}

function checkInPart({ kinds: allowed, parts }: Subschema, value: unknown, depth: number, walk: Walk, isOfKind: boolean): boolean {
  const { types, own, properties, applied, digits } = parts
  if (isOfKind) return everyTest(depth === 0 ? [...own, properties] : own, value, depth, walk)
  const isDigits = !walk.isLiteral && (allowed & (kinds.number | kinds.integer)) !== 0 && isLongInteger(value)
  if (!isDigits) return report(walk, depth, (path) => wrongType(path, types, value))
  return everyTest(walk.isShallow ? [digits] : [digits, ...applied], value, depth, walk)
}

export const always: Test = () => true
export const noParts: SubschemaParts = { types: [], own: [], properties: always, applied: [], digits: always }

export function allTests(tests: readonly Test[]): Test {
  const [first = always] = tests
  return tests.length < 2 ? first : (value, depth, walk) => everyTest(tests, value, depth, walk)
}

function everyTest(tests: readonly Test[], value: unknown, depth: number, walk: Walk): boolean {
  let fits = true
  for (const test of tests) {
    if (test(value, depth, walk)) continue
    if (walk.findings === null) return false
    fits = false
  }
  return fits
}

/** Goes on after a failure only where findings are wanted. */
export function every<T>(list: readonly T[], walk: Walk, fits: (one: T, index: number) => boolean): boolean {
  if (walk.findings === null) return list.every(fits)
  return list.reduce((isMet, one, index) => fits(one, index) && isMet, true)
}

/** Checks a value against one more schema. */
export function checkSame(schema: Subschema, value: unknown, depth: number, walk: Walk): boolean {
  const { run } = walk
  spend(run, applySteps)
  if (++run.nesting > nestingMax) throw stepsSpent
  const fits = check(schema, value, depth, walk)
  run.nesting--
  return fits
}

/** Always false, for a test to return. */
export function report(walk: Walk, depth: number, findingAt: (path: string) => Finding): false {
  if (walk.findings !== null) add(findingAt(pathOf(walk.run.path, depth)), walk)
  return false
}

export function add(finding: Finding, { findings, findingsMax, run }: Walk): void {
  if (findings === null) return
  spend(run, findingSteps)
  if (!isExplained(finding, findings)) findings.push(finding)
  if (findings.length >= findingsMax) throw findingsFull
}

/** What is wrong, as far as it is told. */
export function collect(findingsMax: number, walk: Walk, work: (walk: Walk) => void): Finding[] {
  const findings: Finding[] = []
  const { nesting } = walk.run
  try {
    work({ ...walk, findings, findingsMax, evaluated: null })
  } catch (error) {
    if (error !== findingsFull) throw error
    walk.run.nesting = nesting
  }
  return findings
}

/** What is inside a value is evaluated by itself. */
export const inside = (walk: Walk): Walk => (walk.evaluated === null ? walk : { ...walk, evaluated: null })

export const withoutFormats = (walk: Walk): Walk =>
  walk.hasFormats ? { ...walk, hasFormats: false, quiet: walk.quiet === null ? null : withoutFormats(walk.quiet) } : walk

/** Whether a value fits a schema to the letter. */
export function decide(schema: Subschema, value: unknown, depth: number, walk: Walk, evaluated: Evaluated | null): "yes" | "no" | "unsure" {
  const { run } = walk
  const wasUnsure = run.isUnsure
  run.isUnsure = false
  const fits = checkSame(schema, value, depth, { ...walk, findings: null, evaluated, isLiteral: true, hasFormats: false, quiet: null })
  const answer = !fits ? "no" : run.isUnsure ? "unsure" : "yes"
  run.isUnsure = wasUnsure
  return answer
}

/** Passes, because the upstream has to check it. */
export function leftOut(walk: Walk): true {
  walk.run.isUnsure = true
  if (walk.evaluated !== null) walk.evaluated.isAll = true
  return true
}

/** The types of JSON Schema as bits; an integer is a number as well. */
export const kinds = { number: 1, integer: 2, string: 4, boolean: 8, null: 16, array: 32, object: 64 } as const
export const anyKind = 127

function kindOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return kinds.string
    case "number":
      return Number.isInteger(value) ? kinds.number | kinds.integer : kinds.number
    case "boolean":
      return kinds.boolean
    default:
      return value === null ? kinds.null : Array.isArray(value) ? kinds.array : kinds.object
  }
}
