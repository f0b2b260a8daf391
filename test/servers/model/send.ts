// Sends one turn of a scripted model: whole or streamed, or failing in the way that the script asks for.
import type { ServerResponse } from "node:http"
import type { ApiError, Frame, ModelWriter } from "./frame.ts"
import { frameText } from "./frame.ts"
import type { ModelRequest } from "./request.ts"
import type { ModelAnswer, ModelFailure, ModelTurn } from "./turn.ts"
import { completeAnswer, isFailure } from "./turn.ts"

export type Exchange = { readonly request: ModelRequest; readonly response: ServerResponse; readonly writer: ModelWriter }

export async function sendTurn(turn: ModelTurn, exchange: Exchange): Promise<void> {
  if (isFailure(turn)) return sendFailure(turn, exchange)
  await turn.before?.()
  const answer = completeAnswer(turn, exchange.request)
  if (!exchange.request.stream) return sendJson(exchange.response, 200, exchange.writer.body(answer))
  await sendFrames(exchange.writer.frames(answer, exchange.request), turn, exchange.response)
  exchange.response.end()
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
}

export function sendError(error: ApiError, { writer, response }: Exchange, retryAfter?: string): void {
  sendJson(response, error.status, writer.error(error), retryAfter === undefined ? {} : { "retry-after": retryAfter })
}

/** Whoever is gone gets no more frames. */
async function sendFrames(frames: readonly Frame[], answer: ModelAnswer, response: ServerResponse): Promise<void> {
  for (const [index, frame] of frames.entries()) {
    await answer.hold?.({ index, part: frame.part })
    if (response.destroyed) return
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
    await new Promise<void>((resolve) => response.write(frameText(frame), () => resolve()))
  }
}

async function sendFailure(failure: ModelFailure, exchange: Exchange): Promise<void> {
  const { request, response, writer } = exchange
  switch (failure.fail) {
    case "status": {
      const { status, code = `status_${status}`, message = `The scripted model answers with status ${status}.` } = failure
      return sendError({ status, code, message }, exchange, failure.retryAfter)
    }
    case "rate_limit":
      return sendError(
        { status: 429, code: "rate_limit_exceeded", message: "Rate limit reached. Try again later." },
        exchange,
        failure.retryAfter,
      )
    case "context_too_long":
      return sendError({ status: 400, code: "context_length_exceeded", message: tooLong(request, failure.limit ?? 8192) }, exchange)
    case "invalid_json":
      if (request.stream) response.writeHead(200, { "content-type": "text/event-stream" }).end('data: {"id": "broken", "choi\n\n')
      else response.writeHead(200, { "content-type": "application/json" }).end('{"id": "broken", "choi')
      return
    case "content_type":
      return void response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Please sign in to this network</body></html>")
    case "empty_body":
      return void response.writeHead(200, { "content-type": request.stream ? "text/event-stream" : "application/json" }).end()
    case "half_stream":
      await sendFirst(failure.frames, failure.answer, exchange)
      return void response.end()
    case "disconnect":
      await sendFirst(failure.frames ?? 0, failure.answer ?? {}, exchange)
      return void response.destroy()
    case "stream_error": {
      await sendFirst(failure.frames, failure.answer, exchange)
      const error = { status: 500, code: "server_error", message: failure.message ?? "The model stopped with an error." }
      return void response.end(frameText(writer.errorFrame(error)))
    }
    case "hang":
      return
    case "raw":
      return void response.writeHead(failure.status ?? 200, failure.headers ?? {}).end(failure.body)
  }
}

/** Without a stream half an answer is half of its body. */
async function sendFirst(count: number, answer: ModelAnswer, { request, response, writer }: Exchange): Promise<void> {
  await answer.before?.()
  const full = completeAnswer(answer, request)
  if (request.stream) return sendFrames(writer.frames(full, request).slice(0, count), answer, response)
  if (count === 0) return
  const body = JSON.stringify(writer.body(full))
  response.writeHead(200, { "content-type": "application/json" })
  await new Promise<void>((resolve) => response.write(body.slice(0, body.length / 2), () => resolve()))
}

const tooLong = (request: ModelRequest, limit: number): string => {
  const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(request.body)) / 4)
  return request.api === "messages"
    ? `prompt is too long: ${tokens} tokens > ${limit} maximum`
    : `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
}
