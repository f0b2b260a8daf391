// Reads a JSON body, never more of it than its limit.
import { ExecutorError } from "../core/errors.ts"
import { limitTable, raiseLimit } from "../core/limits.ts"
import type { Limits } from "../core/limits.ts"
import { JsonError, isLongJson, parseLongJson } from "./json-parse.ts"

export type BodyLimits = {
  readonly bytesMax: number
  readonly depthMax: number
  /** Of the upper levels alone, which are those that schemas check. */
  readonly valuesMax: number
  readonly checkedLevels: number
}

/** The limits of a route's body. A document is the value of a field of `config`, and passed on as it is. */
export const bodyLimits = (bytesMax: number, limits: Limits): BodyLimits => ({
  bytesMax,
  depthMax: limits.requestBodyDepthMax,
  valuesMax: limits.requestValuesMax,
  checkedLevels: bytesMax === limits.requestBodyBytesMax ? 3 : limits.requestBodyDepthMax,
})

const jsonTypePattern = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i

export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  if (!jsonTypePattern.test(request.headers.get("content-type") ?? ""))
    throw new ExecutorError("invalid_request", "Send the body as JSON, with the header 'content-type: application/json'")
  const encoding = request.headers.get("content-encoding")
  if (encoding !== null && encoding !== "identity") throw new ExecutorError("invalid_request", "Send the body without content-encoding")
  const text = await readText(request, limits.bytesMax)
  const value = isLongJson(text) ? await parseLong(text, limits, request.signal) : parseShort(text, limits)
  if (holdsMore(value, limits.valuesMax, limits.checkedLevels))
    throw new ExecutorError("payload_too_large", `The body holds more than ${limits.valuesMax} values`)
  return value
}

function parseShort(text: string, { depthMax }: BodyLimits): unknown {
  const value = parse(text)
  if (isDeeperThan(value, depthMax)) throw tooDeep(depthMax)
  return value
}

async function parseLong(text: string, { depthMax }: BodyLimits, signal: AbortSignal): Promise<unknown> {
  try {
    return await parseLongJson(text, { depthMax, signal })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw error.reason === "depth" ? tooDeep(depthMax) : new ExecutorError("invalid_request", "The body is not valid JSON")
  }
}

const tooDeep = (levels: number): ExecutorError =>
  new ExecutorError("invalid_request", `The body is nested more than ${levels} levels deep`)

export async function readText(request: Request, bytesMax: number): Promise<string> {
  const declared = request.headers.get("content-length")
  if (declared !== null && Number(declared) > bytesMax) throw tooLarge(bytesMax)
  try {
    // The HTTP parser ends a body at its declared length, so only one without needs counting.
    return declared === null ? await readCounted(request, bytesMax) : await request.text()
  } catch (error) {
    if (error instanceof ExecutorError) throw error
    throw new ExecutorError("invalid_request", "The body ended before it was complete")
  }
}

async function readCounted(request: Request, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const tooLarge = (bytesMax: number): ExecutorError =>
  new ExecutorError("payload_too_large", `The body is larger than ${bytesMax} bytes${bytesMax < documentBodyBytes ? "" : largeDocument}`)

/** Only bodies that carry documents may be so large. */
const documentBodyBytes = limitTable.requestBodyBytesMax.value
const largeDocument = `. Add a document this large by its URL. ${raiseLimit("requestBodyBytesMax", "documentBytesMax")}`

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the text, which may hold a secret: only the position is passed on.
    const place = / \(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : "")?.[0] ?? ""
    throw new ExecutorError("invalid_request", `The body is not valid JSON${place}`)
  }
}

/** Counts no further than it must. */
function holdsMore(value: unknown, valuesMax: number, levels: number): boolean {
  return countDown(value, valuesMax, levels) < 0
}

/** What is left of a number after the value and those below it. */
function countDown(value: unknown, from: number, levels: number): number {
  let left = from - 1
  if (typeof value !== "object" || value === null || levels === 0) return left
  for (const child of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) {
    if (left < 0) return left
    left = countDown(child, left, levels - 1)
  }
  return left
}

/** Its own recursion ends at `levels`. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return children.some((child) => isDeeperThan(child, levels - 1))
}
