// Notes the shape of what each tool answers, once a path: the engine's errors do not tell what a value was.
import type { Kit } from "./kit.ts"

export function installDataShape(kit: Kit): void {
  const pathsMax = 50
  const keysMax = 12
  const charsMax = 300
  const depthMax = 2
  const shapes = new Map<string, string>()
  const stringify = JSON.stringify
  const isArray = Array.isArray
  const keysOf = Object.keys

  function outline(value: unknown, depth: number): string {
    if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value
    if (isArray(value)) return `array of ${value.length}${value.length > 0 && depth > 0 ? ` ${outline(value[0], depth - 1)}` : ""}`
    if (depth === 0) return "{ … }"
    const keys = keysOf(value)
    const fields = keys.slice(0, keysMax).map((key) => `${key}: ${outline((value as Record<string, unknown>)[key], depth - 1)}`) // its own keys
    if (keys.length > keysMax) fields.push(`and ${keys.length - keysMax} more`)
    return keys.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
  }

  kit.noteShape = (path, form, data) => {
    if (shapes.has(path) || shapes.size >= pathsMax) return
    const text = outline(data, depthMax)
    shapes.set(path, form + (text.length > charsMax ? `${text.slice(0, charsMax)}…` : text))
  }

  /** Written by hand, because the guest may have given objects a `toJSON`. */
  kit.shapes = () => `{${[...shapes].map(([path, shape]) => `${stringify(path)}:${stringify(shape)}`).join(",")}}`
}
