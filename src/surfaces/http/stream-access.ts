// Ends a stream of events or text once whoever reads it may no longer, or may something else than when it began.
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"

/** How long a stream outlives what allowed it, at most; before an event is sent it is looked at as well. */
const lookEveryMs = 1000

/** `look` throws where nothing acts in their name any more. Whoever may still read opens another stream. */
export function whileAllowed<Event>(
  events: AsyncIterable<Event>,
  began: Principal,
  look: () => Promise<Principal>,
  stop: AbortController,
): AsyncIterable<Event> {
  const rights = rightsOf(began)
  const isAllowed = async (): Promise<boolean> => {
    try {
      return rightsOf(await look()) === rights
    } catch (error) {
      // What the store does not answer now, it answers at the next look.
      return !(error instanceof ExecutorError && (error.code === "unauthorized" || error.code === "forbidden"))
    }
  }
  const timer = setInterval(() => void isAllowed().then((may) => may || stop.abort()), lookEveryMs).unref()
  stop.signal.addEventListener("abort", () => clearInterval(timer), { once: true })
  return (async function* () {
    try {
      for await (const event of events) {
        if (!(await isAllowed())) return stop.abort()
        yield event
      }
    } finally {
      clearInterval(timer)
    }
  })()
}

const rightsOf = ({ roles, rights }: Principal): string => JSON.stringify([roles, rights])
