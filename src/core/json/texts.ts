// Maps every text of a plain value, including keys.

/** Returns the same value if nothing changes. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  const before: [string, unknown][] = Object.entries(value)
  const after = before.map(([name, item]): [string, unknown] => [change(name), mapTexts(item, change)])
  // `fromEntries` defines properties instead of assigning them, so that `__proto__` stays plain data.
  return after.every(([name, item], at) => name === before[at]?.[0] && item === before[at]?.[1]) ? value : Object.fromEntries(after)
}
