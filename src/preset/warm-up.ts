// Prepares in the background, once a server listens, what the first search and the first description would wait for.
import { localHuman } from "../core/principal.ts"
import type { ExecutorCore } from "../executor.ts"
import type { Log } from "../io/log.ts"

/** Nobody waits for it, and whatever it meets is met again by whoever asks. */
export async function warmUp(core: ExecutorCore, log: Log): Promise<void> {
  try {
    const { tools } = core.as(localHuman)
    const { items } = await tools.search({ query: "list", limit: 5 })
    for (const { path } of items) await tools.schema(path)
  } catch (error) {
    log.debug({ error: String(error) }, "The warm-up ended early")
  }
}
