// Writes a long text at the pace at which the client reads it.

/** The first piece is waited for, so that a refusal is an answer with its own status. Whatever fails later breaks the answer off. */
export async function openTextStream(pieces: AsyncIterable<string>, stop: AbortController): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const iterator = pieces[Symbol.asyncIterator]()
  let next: IteratorResult<string> | null = await iterator.next()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = next ?? (await iterator.next())
        next = null
        stop.signal.throwIfAborted()
        if (done !== true) return controller.enqueue(encoder.encode(value))
        stop.abort()
        controller.close()
      } catch (error) {
        stop.abort()
        controller.error(error)
      }
    },
    async cancel() {
      stop.abort()
      await iterator.return?.()
    },
  })
}
