// Collects the garbage of this thread's heap immediately, where V8 would wait for more of it.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

let collection: (() => void) | undefined

/** V8 hands its collection to contexts that are made while the flag is set. It stays set: other threads may be about to ask. */
export function collectGarbage(): void {
  if (!collection) {
    setFlagsFromString("--expose-gc")
    collection = runInNewContext("gc") as () => void // the flag says so
  }
  collection()
}
