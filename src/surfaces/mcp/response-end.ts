// Tells when the last byte of an answer is written, or its reader has gone.

/** `cut` ends the answer as if there were no more of it. */
export function whenDone(response: Response, done: () => void, cut?: AbortSignal): Response {
  if (response.body === null) {
    done()
    return response
  }
  let isDone = false
  const finish = (): void => {
    if (!isDone) done()
    isDone = true
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  // What is being read is then answered with the end.
  cut?.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true })
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done: isOver, value } = await reader.read().catch((error: unknown) => {
        finish()
        throw error
      })
      if (value !== undefined) controller.enqueue(value)
      if (!isOver) return
      finish()
      controller.close()
    },
    async cancel(reason) {
      finish()
      await reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
