// The `fetch` that the provider packages get: our guarded network, to the provider's own origin alone.
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import { OutboundBreak } from "../../io/network/outbound.ts"
import type { Outbound } from "../../io/network/outbound.ts"

export type FetchParts = { readonly outbound: Outbound; readonly limits: Limits }

type Chunk = Uint8Array<ArrayBuffer>

export function modelFetch(baseUrl: string, { outbound, limits }: FetchParts): typeof fetch {
  const { origin } = new URL(baseUrl)
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin) throw new ExecutorError("internal", `A model provider of ${origin} was to be asked at ${url.origin}`)
    const { body } = init
    const answer = await outbound.open({
      method: init.method ?? "GET",
      url: url.href,
      headers: { "accept-encoding": "identity", ...Object.fromEntries(new Headers(init.headers)) },
      headTimeoutMs: limits.modelAnswerMs,
      // The packages send JSON texts only.
      ...(typeof body === "string" ? { body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
    })
    if (!answer.ok) throw new OutboundBreak(answer)
    const { status, statusText, headers } = answer
    return new Response(bounded(answer.body, limits.modelAnswerBytesMax), { status, statusText, headers })
  }
}

/** Without a transform stream in between, whose queues cost more than what they carry. */
function bounded(body: ReadableStream<Chunk>, bytesMax: number): ReadableStream<Chunk> {
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        bytes += value.length
        if (bytes <= bytesMax) return controller.enqueue(value)
        controller.error(tooLarge(bytesMax))
        await reader.cancel()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const tooLarge = (bytesMax: number): OutboundBreak =>
  new OutboundBreak({
    ok: false,
    code: "response_too_large",
    message: `The model's answer is larger than ${bytesMax} bytes`,
    retryable: false,
  })
