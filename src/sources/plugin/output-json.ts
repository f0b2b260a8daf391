// Converts a handler's return value to plain JSON, or explains why that is impossible.
import { isMadeFile, toolFile } from "../../core/result.ts"
import type { ToolFile } from "../../core/result.ts"

export type JsonOutput = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: "too_large" | "response" }

const depthMax = 200

class Refusal extends Error {
  readonly reason: "too_large" | "response"
  constructor(reason: "too_large" | "response") {
    super(reason)
    this.reason = reason
  }
}

/** Maps, sets, dates, errors, bytes and big integers become readable; cycles are cut. What its getters throw is thrown. */
export function toJson(value: unknown, bytesMax: number): JsonOutput {
  let bytesLeft = bytesMax
  const spend = (bytes: number): void => {
    bytesLeft -= bytes
    if (bytesLeft < 0) throw new Refusal("too_large")
  }
  const open = new Set<object>()

  const convert = (item: unknown, depth: number): unknown => {
    if (depth > depthMax) throw new Refusal("too_large")
    const plain = toPlain(item)
    if (typeof plain === "string") spend(Buffer.byteLength(plain) + 2)
    else spend(4)
    if (typeof plain !== "object" || plain === null) return plain
    if (isMadeFile(plain)) return wholeFile(plain)
    if (open.has(plain)) return "[Circular]"
    open.add(plain)
    const converted = Array.isArray(plain) ? convertArray(plain, depth) : convertObject(plain, depth)
    open.delete(plain)
    return converted
  }

  /** Itself, because a copy of a file is none. */
  const wholeFile = (file: ToolFile): ToolFile => {
    spend(file.data.length + Buffer.byteLength(file.mimeType) + Buffer.byteLength(file.name ?? ""))
    return file
  }

  /** Item by item, so that the limit also ends an array of holes. */
  const convertArray = (items: readonly unknown[], depth: number): unknown[] => {
    const converted: unknown[] = []
    for (let at = 0; at < items.length; at += 1) converted.push(convert(items[at], depth + 1) ?? null)
    return converted
  }

  const convertObject = (object: object, depth: number): unknown => {
    const entries: [string, unknown][] = []
    for (const [key, item] of Object.entries(object)) {
      const converted = convert(item, depth + 1)
      if (converted === undefined) continue
      spend(Buffer.byteLength(key) + 4)
      entries.push([key, converted])
    }
    // `fromEntries` defines properties instead of assigning them, so that `__proto__` stays plain data.
    return Object.fromEntries(entries)
  }

  try {
    return { ok: true, value: convert(value, 0) ?? null }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason }
    throw error
  }
}

/** Undefined for what JSON leaves out. */
function toPlain(value: unknown): unknown {
  switch (typeof value) {
    case "bigint":
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    case "number":
      return Number.isFinite(value) ? value : String(value)
    case "function":
    case "symbol":
    case "undefined":
      return undefined
    case "object":
      return value === null ? null : plainObject(value)
    case "string":
    case "boolean":
      return value
  }
}

function plainObject(value: object): unknown {
  if (Array.isArray(value)) return value
  if (value instanceof Response) throw new Refusal("response")
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Map) return plainMap(value)
  if (value instanceof Set) return [...(value as Set<unknown>)]
  if (value instanceof Error) return { name: value.name, message: value.message, ...Object.fromEntries(Object.entries(value)) }
  if (ArrayBuffer.isView(value))
    return toolFile(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), "application/octet-stream")
  if (value instanceof ArrayBuffer) return toolFile(new Uint8Array(value), "application/octet-stream")
  if ("toJSON" in value && typeof value.toJSON === "function") return toPlainOnce(value.toJSON())
  return value
}

/** What `toJSON` gave is taken as it is: it may give an object with a `toJSON` again, for ever. */
const toPlainOnce = (value: unknown): unknown => (typeof value === "object" ? value : toPlain(value))

function plainMap(map: Map<unknown, unknown>): unknown {
  const entries = [...map]
  return entries.every((entry): entry is [string, unknown] => typeof entry[0] === "string") ? Object.fromEntries(entries) : entries
}
