// The only door to time.

export type Clock = { now(): Date; monotonicMs(): number }

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() }

export const isoNow = (clock: Clock): string => clock.now().toISOString()
