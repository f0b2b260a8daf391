// Checks the arguments of a call against its tool's schema, within a time limit that neither can exceed.
//
// First the size of the arguments, so that nothing below sees more than the limits allow; then schema and arguments are
// walked together (`walk.ts`) with a budget of steps. When the steps are spent, what was found until then counts, names
// and types of the parameters themselves are checked, and the rest is left to the upstream.
import { isRecord } from "../core/json/record.ts"
import { defaultLimits } from "../core/limits.ts"
import type { Limits } from "../core/limits.ts"
import type { JsonSchema } from "../core/tool.ts"
import { measureArgs, sizeLimitsOf, withoutUndefined } from "./measure.ts"
import { refuseArgs } from "./issue.ts"
import type { ArgsVerdict, Finding } from "./issue.ts"
import { wrongType } from "./issue-text.ts"
import { prepareSchema } from "./schema-prepare.ts"
import type { PreparedSchema } from "./schema-prepare.ts"
import type { Definitions } from "./schema-ref.ts"
import { check, findingsFull, stepsSpent } from "./walk.ts"
import type { Run, Walk } from "./walk.ts"

export type ArgsCheck = {
  /** `undefined` properties count as absent. `argsJson`: their text, where there is one, tells their size. */
  check(args: unknown, argsJson?: string): ArgsVerdict
  /** How much memory it takes, in subschemas; it grows while checks reach further ones. */
  weight(): number
}

/** Steps are counted rather than time measured, so that the same arguments get the same answer on a busy machine. */
export function prepareArgsCheck(schema: JsonSchema | boolean, definitions: Definitions, limits: Limits = defaultLimits): ArgsCheck {
  const prepared = prepareSchema(schema, definitions, limits)
  const sizeLimits = sizeLimitsOf(limits)
  const findingsMax = limits.argsIssuesMax
  const stepsMax = limits.argsCheckStepsMax
  const checkArgs = (input: unknown, argsJson?: string): ArgsVerdict => {
    if (!isRecord(input)) return refuseArgs([wrongType("", ["object"], input)], 1)
    const measured = measureArgs(input, sizeLimits, argsJson)
    if (!measured.ok) return refuseArgs([measured.finding], 1)
    const args = measured.hasUndefined ? withoutUndefined(input) : input
    const { findings, isDone } = findIn(args, prepared, { stepsMax, findingsMax })
    if (isDone) return findings.length === 0 ? accepted : refuseArgs(findings, findingsMax)
    const { findings: onTop } = findIn(args, prepared, { stepsMax: Infinity, findingsMax })
    const all = [...onTop, ...findings.filter(({ path, code }) => !onTop.some((known) => known.path === path && known.code === code))]
    return all.length === 0 ? accepted : refuseArgs(all, findingsMax)
  }
  return { check: checkArgs, weight: () => 1 + prepared.partCount() }
}

const accepted: ArgsVerdict = { ok: true }

export type Found = { readonly findings: readonly Finding[]; readonly isDone: boolean; readonly steps: number }

/** With infinite steps only the parameters themselves are checked, of which there are no more than arguments may have. */
export function findIn(args: unknown, prepared: PreparedSchema, most: { readonly stepsMax: number; readonly findingsMax: number }): Found {
  const { stepsMax, findingsMax } = most
  const findings: Finding[] = []
  const run: Run = { stepsLeft: stepsMax, isUnsure: false, nesting: 0, path: [], prepare: prepared.prepare }
  const isShallow = stepsMax === Infinity
  const quiet: Walk = { run, findings: null, findingsMax, evaluated: null, isLiteral: false, hasFormats: true, isShallow, quiet: null }
  const walk: Walk = { run, findings, findingsMax, evaluated: null, isLiteral: false, hasFormats: true, isShallow, quiet }
  let isDone = true
  try {
    check(prepared.root, args, 0, walk)
  } catch (error) {
    if (error !== stepsSpent && error !== findingsFull) throw error
    isDone = error === findingsFull
  }
  return { findings, isDone, steps: stepsMax - Math.max(0, run.stepsLeft) }
}
