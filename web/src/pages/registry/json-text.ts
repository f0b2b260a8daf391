// JSON that people type: read with a message that says what is wrong, and a first draft of arguments.
type Parsed = { readonly ok: true; readonly value: Readonly<Record<string, unknown>> } | { readonly ok: false; readonly problem: string }

export function parseObject(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ok: true, value: value as Record<string, unknown> } // just checked
    return { ok: false, problem: 'Write a JSON object, such as {"name": "tea"}' }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : "This is not JSON" }
  }
}

const empty: Readonly<Record<string, unknown>> = { string: "", number: 0, integer: 0, boolean: false, array: [], object: {}, null: null }

/** An object with each required property, by its default, its example, or the empty value of its type. */
export function sampleOf(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { properties, required } = schema
  if (typeof properties !== "object" || properties === null || !Array.isArray(required)) return {}
  const names = required.filter((name): name is string => typeof name === "string" && Object.hasOwn(properties, name))
  return Object.fromEntries(names.map((name) => [name, sample((properties as Record<string, unknown>)[name])]))
}

function sample(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return null
  const { default: preset, examples, enum: choices, type } = schema as Record<string, unknown>
  if (preset !== undefined) return preset
  const [first] = [examples, choices].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  return first ?? (typeof type === "string" ? (empty[type] ?? null) : null)
}
