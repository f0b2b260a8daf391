// The canonical text of a JSON value: equal values have equal texts, whatever the order of their keys.

/** Keys in order, no blanks, as `JSON.stringify` otherwise. Throws a `RangeError` where the value is nested deeper than `depthMax`. */
export function canonicalJson(value: unknown, depthMax: number = Number.POSITIVE_INFINITY): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null)
  if (depthMax <= 0) throw new RangeError("The value is nested too deeply")
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depthMax - 1)).join(",")}]`
  const fields = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item, depthMax - 1)}`).join(",")}}`
}
