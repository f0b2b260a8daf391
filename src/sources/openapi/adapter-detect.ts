// Finds the OpenAPI document that is at a URL, or at the places where servers usually keep theirs.
import { noCredential } from "../../core/auth.ts"
import { ExecutorError } from "../../core/errors.ts"
import { splitUserInfo } from "../../io/user-info.ts"
import type { DetectRequest, Detected } from "../source-adapter.ts"
import { parseOpenApiConfig } from "./config-parse.ts"
import { decodeText } from "./document-parse.ts"
import { listOpenApiTools } from "./list-tools.ts"

const usualPlaces = ["/openapi.json", "/openapi.yaml", "/swagger.json"]
const documentMark = /["']?\b(?:openapi|swagger)["']?[ \t]*:/

export async function detectOpenApi(request: DetectRequest): Promise<Detected | null> {
  const places = [request.url, ...usualPlaces.map((path) => new URL(path, request.url).href)]
  for (const spec of new Set(places)) {
    const document = await readCandidate(spec, request)
    if (document === null) continue
    const { config } = parseOpenApiConfig({ spec })
    const { facts } = await listOpenApiTools({ ...request, config, document, credential: noCredential, connection: null })
    return { config: { spec }, facts }
  }
  return null
}

/** Null when something else is there; throws when nothing answers, because then no kind of source will be found. */
async function readCandidate(spec: string, { outbound, limits, signal }: DetectRequest): Promise<string | null> {
  const { url, authorization } = splitUserInfo(new URL(spec))
  const answer = await outbound.send({
    method: "GET",
    url: url.href,
    headers: { accept: "application/json, application/yaml, */*;q=0.5", ...(authorization === null ? {} : { authorization }) },
    timeoutMs: limits.callTimeoutMs,
    responseBytesMax: limits.documentBytesMax,
    signal,
  })
  if (!answer.ok) throw new ExecutorError("invalid_request", `The URL could not be read: ${answer.message}`)
  if (answer.status !== 200) return null
  const text = decodeText(answer.bytes)
  // A page about an API may quote its document, but is none.
  return documentMark.test(text) && !text.trimStart().startsWith("<") ? text : null
}
