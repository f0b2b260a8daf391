// Finds the OpenAPI document at a URL, linked from there, or in a usual location.
//
// Places are read level by level: the URL itself, then what it links to and the usual places, then what those link to.
// A level is read at once, and the first place of it that holds a document wins, so that the answer does not depend on
// which server is quicker.
import { noCredential } from "../../core/auth.ts"
import { ExecutorError } from "../../core/errors.ts"
import { raiseLimit } from "../../core/limits.ts"
import type { OutboundResponse } from "../../io/network/outbound.ts"
import { splitUserInfo } from "../../io/network/user-info.ts"
import { essenceOf } from "../media-type.ts"
import type { DetectRequest, Detected } from "../source-adapter.ts"
import { parseOpenApiConfig } from "./config.ts"
import { linksOf, usualPlaces } from "./detect-links.ts"
import { decodeText } from "./document/parse.ts"
import { listOpenApiTools } from "./list-tools.ts"

/** A page, its script, the config of that, the document. */
const levelsMax = 4
const placesMax = 30
/** What is read at once; each may be as large as a document. */
const parallelMax = 6
const documentMark = /["']?\b(?:openapi|swagger)["']?[ \t]*:/

type Page = { readonly place: string; readonly text: string; readonly essence: string; readonly links: readonly string[] }

export async function detectOpenApi(request: DetectRequest): Promise<Detected | null> {
  const seen = new Set<string>()
  let places: readonly string[] = [request.url]
  let problem: unknown = null
  for (let level = 0; level < levelsMax && places.length > 0; level += 1) {
    for (const place of places) seen.add(place)
    const pages = await readPlaces(places, request, level === 0)
    for (const page of pages.filter(isDocument)) {
      try {
        return await describeDocument(page, request)
      } catch (error) {
        // It looked like one; what it lacks is said if nothing else is found.
        problem ??= error
      }
    }
    const next = [...pages.flatMap((page) => page.links), ...(level === 0 ? usualPlaces(request.url) : [])]
    places = [...new Set(next)].filter((place) => !seen.has(place)).slice(0, placesMax - seen.size)
  }
  if (problem !== null) throw problem
  return null
}

async function describeDocument({ place: spec, text: document }: Page, request: DetectRequest): Promise<Detected> {
  const { config } = await parseOpenApiConfig({ spec })
  const { facts } = await listOpenApiTools({ ...request, config, document, credential: noCredential, connection: null })
  return { config: { spec }, facts, proof: "answer" }
}

/** A page about an API may quote its document, but is none. */
const isDocument = ({ text, essence }: Page): boolean =>
  !essence.includes("javascript") && !text.trimStart().startsWith("<") && documentMark.test(text)

/** In the order of the places, without those that have nothing. */
async function readPlaces(places: readonly string[], request: DetectRequest, isFirst: boolean): Promise<Page[]> {
  const pages: (Page | null)[] = []
  for (let at = 0; at < places.length; at += parallelMax)
    pages.push(...(await Promise.all(places.slice(at, at + parallelMax).map((place) => readPlace(place, request, isFirst)))))
  return pages.filter((page) => page !== null)
}

/** Null when nothing is there; throws when the URL that was given does not answer, because then no place of it will. */
async function readPlace(place: string, { outbound, limits, signal }: DetectRequest, isFirst: boolean): Promise<Page | null> {
  const { url, authorization } = splitUserInfo(new URL(place))
  const answer = await outbound.send({
    method: "GET",
    url: url.href,
    headers: {
      accept: "application/json, application/yaml, text/html;q=0.8, */*;q=0.5",
      ...(authorization === null ? {} : { authorization }),
    },
    timeoutMs: limits.callTimeoutMs,
    responseBytesMax: limits.documentBytesMax,
    signal,
    // An address that streams events for ever is no document.
    stream: { appliesTo: (type) => type.includes("text/event-stream"), idleMs: 100, isEnough: () => true },
  })
  if (answer.ok) return toPage(place, answer)
  if (isFirst && answer.code === "response_too_large")
    throw new ExecutorError("payload_too_large", `The document is over ${limits.documentBytesMax} bytes. ${raiseLimit("documentBytesMax")}`)
  if (isFirst) throw new ExecutorError("invalid_request", `The URL could not be read: ${answer.message}`)
  return null
}

/** What refuses a stranger may still say where its document is. */
function toPage(place: string, answer: OutboundResponse): Page {
  const text = answer.status === 200 ? decodeText(answer.bytes) : ""
  const essence = essenceOf(answer.headers["content-type"] ?? "")
  return {
    place,
    text,
    essence,
    links: linksOf({ url: withUserInfo(answer.url, place), text, essence, linkHeader: answer.headers["link"] ?? "" }),
  }
}

/** What was given for one origin holds for what that origin links to on itself. */
function withUserInfo(url: string, place: string): string {
  const [to, from] = [new URL(url), new URL(place)]
  if (to.origin !== from.origin) return url
  to.username = from.username
  to.password = from.password
  return to.href
}
