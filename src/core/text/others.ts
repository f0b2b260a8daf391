// Says who must answer an execution where the human who asks, or whose agent asks, cannot.
import type { Interaction } from "../execution.ts"

/** Null where they can answer at least one question. */
export function othersOf(interactions: readonly Pick<Interaction, "answerers">[]): string | null {
  const answerers = new Set(interactions.map((one) => one.answerers ?? null))
  return answerers.size === 0 || answerers.has(null) ? null : [...answerers].join("; and ")
}
