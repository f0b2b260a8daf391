// Tells how deeply a JSON value is nested, before anything walks through all of it.

/** `max`: how many objects and arrays may be inside of one another. */
export const isDeeperThan = (value: unknown, max: number): boolean =>
  typeof value === "object" && value !== null && (max <= 0 || Object.values(value).some((inner) => isDeeperThan(inner, max - 1)))
