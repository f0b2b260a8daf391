// A `fetch` that waits as long as an execution may take; the platform's own gives up after five minutes.
import { Agent, fetch } from "undici"

export const fetchWithTimeout = async (waitMs: number): Promise<typeof globalThis.fetch> => {
  const dispatcher = new Agent({ headersTimeout: waitMs, bodyTimeout: waitMs })
  return ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as unknown as typeof globalThis.fetch // Node.js has its fetch from undici
}
