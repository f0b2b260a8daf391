// A model server on real HTTP that answers by a script: three APIs of models, embeddings, and the ways in which they fail.
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { listen } from "./listen.ts"
import { chatWriter } from "./model/chat.ts"
import { embeddingsBody, textsOf } from "./model/embeddings.ts"
import type { SameWords } from "./model/embeddings.ts"
import type { ModelWriter } from "./model/frame.ts"
import { messagesWriter } from "./model/messages.ts"
import type { ModelApi, ModelRequest } from "./model/request.ts"
import { readRequest } from "./model/request.ts"
import { responsesWriter } from "./model/responses.ts"
import type { Exchange } from "./model/send.ts"
import { sendError, sendJson, sendTurn } from "./model/send.ts"
import type { ModelFailure, ModelScript, ModelTurn } from "./model/turn.ts"

export type { ModelRequest } from "./model/request.ts"
export type { ModelFailure, ModelScript } from "./model/turn.ts"

export type EmbeddingRequest = { readonly body: Readonly<Record<string, unknown>>; readonly inputs: readonly string[] }

export type ModelServerOptions = {
  /** Otherwise every key is taken, and none is needed. */
  readonly apiKey?: string
  readonly models?: readonly string[]
  /** Of vectors, if a request asks for no number of its own. */
  readonly dimensions?: number
  /** Words that mean the same have the same vector. */
  readonly sameWords?: SameWords
  /** What is answered instead of vectors of its own. */
  readonly answerEmbedding?: (request: EmbeddingRequest) => object | undefined
  /** Whether a request for vectors fails, and how. */
  readonly failEmbedding?: (request: EmbeddingRequest) => ModelFailure | undefined
}

export type ModelServer = {
  /** With `/v1`: what providers are given as their base URL. */
  readonly baseUrl: string
  readonly url: string
  /** Every request for an answer, in the order of arrival. */
  readonly requests: ModelRequest[]
  readonly embeddings: EmbeddingRequest[]
  /** Continues with another script. */
  script(script: ModelScript): void
  /** The request with this number, counting from 1, as soon as it has arrived. */
  request(number: number): Promise<ModelRequest>
  close(): Promise<void>
}

const writers: Readonly<Record<string, { readonly api: ModelApi; readonly writer: ModelWriter }>> = {
  "/v1/chat/completions": { api: "chat", writer: chatWriter },
  "/v1/responses": { api: "responses", writer: responsesWriter },
  "/v1/messages": { api: "messages", writer: messagesWriter },
}

export async function startModelServer(script: ModelScript = [], options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const embeddings: EmbeddingRequest[] = []
  const awaited: { readonly number: number; resolve(request: ModelRequest): void }[] = []
  let next = nextTurn(script)

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    response.once("close", () => {
      if (!response.writableFinished) gone.abort()
    })
    const text = await bodyOf(incoming)
    if (text === null) return
    const path = new URL(incoming.url ?? "/", "http://model").pathname
    if (!isAllowed(incoming, options)) return sendUnknown(response, 401, "Incorrect API key provided.")
    if (path === "/v1/models" && incoming.method === "GET") return sendJson(response, 200, modelList(options.models ?? ["scripted"]))
    const body = fieldsIn(text)
    if (incoming.method !== "POST" || body === null) return sendUnknown(response, 400, "The body must be a JSON object, sent with POST.")
    if (path === "/v1/embeddings") {
      const inputs = textsOf(body["input"])
      embeddings.push({ body, inputs })
      const failure = options.failEmbedding?.({ body, inputs })
      if (failure === undefined) {
        const own = options.answerEmbedding?.({ body, inputs })
        return sendJson(response, 200, own ?? embeddingsBody(body, options.dimensions ?? 64, options.sameWords))
      }
      const request = requestOf("chat", body, { number: 0, headers: incoming.headers, gone: gone.signal })
      return sendTurn(failure, { request, response, writer: chatWriter })
    }
    const found = writers[path]
    if (found === undefined) return sendUnknown(response, 404, `There is no ${path} here.`)
    const request = requestOf(found.api, body, { number: requests.length + 1, headers: incoming.headers, gone: gone.signal })
    requests.push(request)
    for (const wait of awaited.filter(({ number }) => number === request.number)) wait.resolve(request)
    await answerWith(() => next(request), { request, response, writer: found.writer })
  }

  const address = await listen(createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy())))
  return {
    url: address.url,
    baseUrl: `${address.url}/v1`,
    requests,
    embeddings,
    script(changed) {
      next = nextTurn(changed)
    },
    request(number) {
      const seen = requests[number - 1]
      return seen ? Promise.resolve(seen) : new Promise((resolve) => awaited.push({ number, resolve }))
    },
    close: () => address.close(),
  }
}

/** A script that fails is an answer as well, so that the test sees why. */
async function answerWith(turn: () => Promise<ModelTurn>, exchange: Exchange): Promise<void> {
  try {
    await sendTurn(await turn(), exchange)
  } catch (error) {
    if (exchange.response.headersSent) exchange.response.destroy()
    else sendError({ status: 500, code: "script_error", message: String(error) }, exchange)
  }
}

function nextTurn(script: ModelScript): (request: ModelRequest) => Promise<ModelTurn> {
  let used = 0
  return async (request) => {
    if (typeof script === "function") return script(request)
    const turn = script[used++]
    if (turn === undefined) throw new Error(`The script has ${script.length} turns, and this is request ${used}`)
    return typeof turn === "function" ? turn(request) : turn
  }
}

const requestOf = (
  api: ModelApi,
  body: Readonly<Record<string, unknown>>,
  rest: Pick<ModelRequest, "number" | "headers" | "gone">,
): ModelRequest => ({ api, body, ...rest, ...readRequest(api, body) })

const isAllowed = (request: IncomingMessage, { apiKey }: ModelServerOptions): boolean =>
  apiKey === undefined || request.headers.authorization === `Bearer ${apiKey}` || request.headers["x-api-key"] === apiKey

const modelList = (models: readonly string[]): object => ({
  object: "list",
  data: models.map((id) => ({ id, object: "model", created: 1_780_000_000, owned_by: "test" })),
})

const sendUnknown = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { type: "error", error: { message, type: "invalid_request_error", param: null, code: null } })

/** Null when the client went away while it was sending. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding yields buffers
  } catch {
    return null
  }
  return Buffer.concat(chunks).toString("utf8")
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
