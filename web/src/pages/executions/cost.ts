// What a run of an agent costs, as people read it.

/** Of a few cents, the fractions count. */
export const costText = (usd: number): string => `$${usd.toFixed(usd < 1 ? 4 : 2)}`
