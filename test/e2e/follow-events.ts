// The events of an execution on one server, from a moment that the test knows.
import type { ExecutionEvent } from "../../src/core/execution.ts"
import { readEvents } from "../../src/surfaces/client/event-reader.ts"
import type { Product } from "./product.ts"

/** Resolves once the server has begun to follow the execution. */
export async function followEvents({ url, token }: Product, id: string): Promise<AsyncIterable<ExecutionEvent>> {
  const { body } = await fetch(`${url}/api/executions/${id}/events`, { headers: { authorization: `Bearer ${token}` } })
  if (body === null) throw new Error("A stream has a body")
  // Reading begins at once: `fetch` cancels a body that nobody reads once its response is garbage.
  const kept = body.pipeThrough(new TransformStream())
  return (async function* () {
    for await (const { data } of readEvents(kept)) yield JSON.parse(data) as ExecutionEvent // what the server writes
  })()
}
