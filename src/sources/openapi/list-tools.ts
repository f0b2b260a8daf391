// Lists the tools of an OpenAPI integration: fetches its document where needed, and compiles it apart from the server.
import { ExecutorError } from "../../core/errors.ts"
import { raiseLimit } from "../../core/limits.ts"
import type { ListRequest, ListedTools } from "../source-adapter.ts"
import type { OpenApiConfig } from "./binding.ts"
import type { FileAnswer } from "./compile/message.ts"
import { compileInThread } from "./compile/thread.ts"
import { formatBundle, parseBundle } from "./document/bundle.ts"
import { fetchDocument, placeOf } from "./document/fetch.ts"
import type { FetchParts } from "./document/fetch.ts"
import { decodeText } from "./document/parse.ts"

type ReadDocument = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly url: string | null
  readonly files: readonly (readonly [string, string])[]
  readonly mayAsk: boolean
}

export async function listOpenApiTools(request: ListRequest<OpenApiConfig>): Promise<ListedTools> {
  const { config, limits, signal } = request
  const read = await readDocument(request)
  const { baseUrl, variables, include, exclude } = config
  const answer = await compileInThread(
    {
      bytes: read.bytes,
      files: read.files,
      mayAsk: read.mayAsk,
      options: { documentUrl: read.url, baseUrl, variables, include, exclude, limits },
    },
    { timeoutMs: limits.documentCompileMs, signal, fetchFiles: fileFetcher(read.url, request) },
  )
  const { facts, tools, definitions } = answer
  request.log.debug({ tools: tools.length, warnings: facts.warnings.length }, "compiled an OpenAPI document")
  const document =
    request.document ??
    formatBundle(
      { text: decodeText(answer.bytes), url: read.url, files: new Map(answer.files) },
      config.spec === null ? null : placeOf(config.spec),
    )
  return { facts, tools, definitions: new Map(definitions), document }
}

async function readDocument(request: ListRequest<OpenApiConfig>): Promise<ReadDocument> {
  const { config, document, limits } = request
  if (document !== null) {
    const bundle = parseBundle(document)
    const bytes = encodeText(bundle?.text ?? document)
    if (bytes.byteLength > limits.documentBytesMax) throw tooLarge(limits.documentBytesMax)
    if (bundle) return { bytes, url: bundle.url, files: [...bundle.files], mayAsk: false }
    return { bytes, url: config.spec === null ? null : placeOf(config.spec), files: [], mayAsk: config.spec !== null }
  }
  if (config.spec === null) throw new ExecutorError("invalid_request", "The config has neither a document nor a URL to fetch it from")
  const fetched = await fetchDocument(config.spec, limits.documentBytesMax, fetchParts(request, config.spec))
  // A redirect to another origin must not decide where calls go.
  const url = originOf(fetched.url) === originOf(config.spec) ? fetched.url : config.spec
  return { bytes: ownBytes(fetched.bytes), url: placeOf(url), files: [], mayAsk: true }
}

/** Fetches what the thread asks for: from the document's own origin, and only so many files and bytes. */
function fileFetcher(documentUrl: string | null, request: ListRequest<OpenApiConfig>) {
  const { limits } = request
  let filesLeft = limits.documentRefsExternalMax
  let bytesLeft = limits.documentBytesMax
  const fetchOne = async (url: string): Promise<FileAnswer> => {
    const refuse = (reason: string): FileAnswer => ({ url, ok: false, reason })
    if (documentUrl === null || originOf(url) !== originOf(documentUrl)) return refuse("Files of another origin are not read")
    if (filesLeft <= 0) return refuse(`A document may refer to ${limits.documentRefsExternalMax} other files`)
    filesLeft -= 1
    try {
      const { bytes } = await fetchDocument(url, bytesLeft, fetchParts(request, url))
      bytesLeft -= bytes.byteLength
      return { url, ok: true, text: decodeText(bytes) }
    } catch (error) {
      return refuse(error instanceof Error ? error.message : "The file could not be fetched")
    }
  }
  return async (urls: readonly string[]): Promise<readonly FileAnswer[]> => {
    const answers: FileAnswer[] = []
    // One after the other: a document must not become a burst of requests.
    for (const url of urls) answers.push(await fetchOne(url))
    return answers
  }
}

const fetchParts = (request: ListRequest<OpenApiConfig>, url: string): FetchParts => ({
  headers: request.config.spec !== null && originOf(url) === originOf(request.config.spec) ? request.config.headers : {},
  outbound: request.outbound,
  limits: request.limits,
  signal: request.signal,
})

const originOf = (url: string): string | null => URL.parse(url)?.origin ?? null

/** A buffer of its own can be handed to the thread instead of copied. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes)

const encodeText = (text: string): Uint8Array<ArrayBuffer> => ownBytes(new TextEncoder().encode(text))

const tooLarge = (bytesMax: number): ExecutorError =>
  new ExecutorError("payload_too_large", `The document is over ${bytesMax} bytes. ${raiseLimit("documentBytesMax")}`)
