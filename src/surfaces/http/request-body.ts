// Reads a JSON body, never more of it than its limit.
import { ExecutorError } from "../../core/errors.ts"

export type BodyLimits = { readonly bytesMax: number; readonly depthMax: number }

const jsonTypePattern = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i

export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  if (!jsonTypePattern.test(request.headers.get("content-type") ?? ""))
    throw new ExecutorError("invalid_request", "Send the body as JSON, with the header 'content-type: application/json'")
  const encoding = request.headers.get("content-encoding")
  if (encoding !== null && encoding !== "identity") throw new ExecutorError("invalid_request", "Send the body without content-encoding")
  const value = parse(await readText(request, limits.bytesMax))
  if (isDeeperThan(value, limits.depthMax))
    throw new ExecutorError("invalid_request", `The body is nested more than ${limits.depthMax} levels deep`)
  return value
}

async function readText(request: Request, bytesMax: number): Promise<string> {
  const declared = request.headers.get("content-length")
  if (declared !== null && Number(declared) > bytesMax) throw tooLarge(bytesMax)
  try {
    // The HTTP parser ends a body at its declared length, so only one without needs counting.
    return declared === null ? await readCounted(request, bytesMax) : await request.text()
  } catch (error) {
    if (error instanceof ExecutorError) throw error
    throw new ExecutorError("invalid_request", "The body broke off before its end")
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

const tooLarge = (bytesMax: number): ExecutorError => new ExecutorError("payload_too_large", `The body is larger than ${bytesMax} bytes`)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the text, which may hold a secret: only the position is passed on.
    const place = / \(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : "")?.[0] ?? ""
    throw new ExecutorError("invalid_request", `The body is not valid JSON${place}`)
  }
}

/** Its own recursion ends at `levels`. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return children.some((child) => isDeeperThan(child, levels - 1))
}
