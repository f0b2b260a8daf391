// Counts the steps of the check under way and ends it when they are spent.
//
// A check is synchronous and checks do not nest, so one meter serves the thread. Steps are counted rather than
// time measured, so that the same arguments get the same answer on a busy machine.
import type { Limits } from "../core/limits.ts"
import type { ArgsSize } from "./measure.ts"
import type { VisitCost } from "./schema-node.ts"

/** Not done: out of steps, out of stack, or the schema made the validator throw. */
export type Metered = { readonly done: boolean; readonly steps: number }
/** Of the value that the validator is given. */
export type PartSize = Pick<ArgsSize, "values" | "widest" | "longestArray" | "longestText">

/** Looking through this many properties of a schema costs a step. */
const propertiesPerStep = 16

const meter = { stepsLeft: Infinity, keySteps: 0, textSteps: 0, pairSteps: 0 }

const stepsSpent = new Error("The steps of this check are spent")

/** What the work has found until it ends is for it to keep. */
export function withMeter(limits: Limits, work: () => void): Metered {
  const stepsMax = limits.argsCheckStepsMax
  meter.stepsLeft = stepsMax
  try {
    work()
    return { done: true, steps: stepsMax - meter.stepsLeft }
  } catch {
    // Whatever a stranger's schema does to the validator costs that schema its check, never the caller its answer.
    return { done: false, steps: stepsMax - Math.max(0, meter.stepsLeft) }
  } finally {
    // What is rebuilt to word an answer is nobody's check.
    meter.stepsLeft = Infinity
  }
}

/**
 * The validator does not tell which value it is at when a visit is charged, so each visit is charged for the widest
 * object of the part that it was given. Parts are as small as can be: see `validate-parts.ts`.
 */
export function meterPart(size: PartSize, limits: Limits): void {
  // The divisors make a step about a microsecond of the validator's work, measured by bench/check-args.
  meter.keySteps = Math.floor(Math.max(size.widest, size.longestArray) / 16)
  meter.textSteps = Math.floor(size.longestText / 500)
  meter.pairSteps = Math.floor((Math.min(size.longestArray, limits.argsUniqueItemsMax) * size.values) / 32)
}

export function charge(cost: VisitCost): void {
  if (cost.uncounted !== null) {
    cost.steps += Math.floor(Object.keys(cost.uncounted).length / propertiesPerStep)
    cost.uncounted = null
  }
  spend(
    cost.steps + (cost.readsKeys ? meter.keySteps : 0) + (cost.readsText ? meter.textSteps : 0) + (cost.readsPairs ? meter.pairSteps : 0),
  )
}

export function spend(steps: number): void {
  meter.stepsLeft -= steps
  if (meter.stepsLeft < 0) throw stepsSpent
}
