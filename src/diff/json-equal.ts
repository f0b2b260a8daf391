// Tells whether two JSON values are the same, to a depth that no schema of ours has.

const depthMax = 200

/** What is deeper counts as different. */
export function isSameJson(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null || depth > depthMax) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, at) => isSameJson(item, other[at], depth + 1))
  }
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  const others = new Map<string, unknown>(Object.entries(other))
  return Object.entries(one).every(([name, value]) => others.has(name) && isSameJson(value, others.get(name), depth + 1))
}
