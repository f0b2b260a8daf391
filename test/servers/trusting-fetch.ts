// A `fetch` that trusts the authority of a test, and finds every name on this machine.
import { Agent, fetch } from "undici"

export type TrustingFetch = { readonly fetch: typeof globalThis.fetch; close(): Promise<void> }

/** `localAddress`: where it comes from; all of 127.0.0.0/8 is this machine. */
export function trustingFetch(ca: string, localAddress = "127.0.0.1"): TrustingFetch {
  const dispatcher = new Agent({
    localAddress,
    connect: {
      ca,
      lookup: (_name, options, found) =>
        options.all === true ? found(null, [{ address: "127.0.0.1", family: 4 }]) : found(null, "127.0.0.1", 4),
    },
  })
  return {
    fetch: ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as unknown as typeof globalThis.fetch, // Node.js has its fetch from undici
    close: () => dispatcher.destroy(),
  }
}
