// The port of argument checks: a schema is prepared once and checks many calls; the rest of the product imports this file alone.
export { createArgsCheckCache } from "./cache.ts"
export { prepareArgsCheck } from "./check.ts"
export type { ArgsCheck } from "./check.ts"
export { closestName, nearestNames } from "./closest-name.ts"
