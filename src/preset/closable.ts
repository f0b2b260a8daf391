// Lets the methods of a closed executor say that it is closed, instead of failing on a closed store.
import { ExecutorError } from "../core/errors.ts"
import type { ExecutorApi } from "../core/executor-api.ts"

type Method = (...args: readonly unknown[]) => unknown

/** `close` ends it once, however often it is called. */
export function closable<Api extends ExecutorApi>(api: Api, close: () => Promise<void>): Api & { close(): Promise<void> } {
  let closing: Promise<void> | null = null
  const guarded =
    (method: Method): Method =>
    (...args) =>
      closing === null ? method(...args) : rejection(new ExecutorError("invalid_request", closedMessage))
  // Every member is a method or a group of them, and keeps its signature.
  return { ...(guardedGroup(api, guarded) as Api), close: () => (closing ??= close()) }
}

const closedMessage = "The executor is closed; create a new one with createExecutor"

const guardedGroup = (group: object, guarded: (method: Method) => Method): object =>
  Object.fromEntries(
    Object.entries(group).map(([name, member]: [string, unknown]) => {
      if (typeof member === "function") return [name, guarded(member as Method)]
      return [name, typeof member === "object" && member !== null ? guardedGroup(member, guarded) : member]
    }),
  )

/** For whoever awaits it, and for whoever iterates over what would be events. */
function rejection(reason: ExecutorError): object {
  const rejected = Promise.reject(reason)
  // Who iterates never looks at the promise.
  rejected.catch(() => {})
  return Object.assign(rejected, { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(reason) }) })
}
