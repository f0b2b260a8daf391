// Counts the steps of the check under way and ends it when they are spent.
//
// A check is synchronous and checks do not nest, so one meter serves the thread. Steps are counted rather than
// time measured, so that the same arguments get the same answer on a busy machine.
import type { Limits } from "../../core/limits.ts"
import type { ArgsSize } from "./args-measure.ts"
import type { VisitCost } from "./schema-node.ts"

export type Metered<T> =
  | { readonly done: true; readonly value: T; readonly steps: number }
  | { readonly done: false; readonly steps: number }

const meter = { stepsLeft: 0, keySteps: 0, textSteps: 0, pairSteps: 0 }

const stepsSpent = new Error("The steps of this check are spent")

/** Not done: out of steps, out of stack, or the schema made the validator throw. */
export function withMeter<T>(limits: Limits, size: ArgsSize, work: () => T): Metered<T> {
  const stepsMax = limits.argsCheckStepsMax
  meter.stepsLeft = stepsMax
  // The divisors make a step about a microsecond of the validator's work, measured by bench/check-args.
  meter.keySteps = Math.floor(Math.max(size.widest, size.longestArray) / 16)
  meter.textSteps = Math.floor(size.longestText / 500)
  meter.pairSteps = Math.floor((Math.min(size.longestArray, limits.argsUniqueItemsMax) * size.values) / 32)
  try {
    const value = work()
    return { done: true, value, steps: stepsMax - meter.stepsLeft }
  } catch {
    // Whatever a stranger's schema does to the validator costs that schema its check, never the caller its answer.
    return { done: false, steps: stepsMax - Math.max(0, meter.stepsLeft) }
  }
}

export function charge(cost: VisitCost): void {
  spend(
    cost.steps + (cost.readsKeys ? meter.keySteps : 0) + (cost.readsText ? meter.textSteps : 0) + (cost.readsPairs ? meter.pairSteps : 0),
  )
}

export function spend(steps: number): void {
  meter.stepsLeft -= steps
  if (meter.stepsLeft < 0) throw stepsSpent
}
