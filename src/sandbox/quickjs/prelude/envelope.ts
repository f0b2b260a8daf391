// The result of a call: an envelope that says so when it is used as the data, and a failure that knows whether it was ignored.
//
// A successful envelope is a plain object whose prototype is asked only for what it does not have, so that reading it
// costs nothing. A failed one is rare, and is watched through a proxy.
import type { Envelope, Kit } from "./kit.ts"

export function installEnvelope(kit: Kit): void {
  const failuresShownMax = 5
  /** Calls that are refused inside the guest fail without end. */
  const failuresMax = 1000
  type Failed = { readonly text: string; isSeen: boolean }
  const plain = Object.prototype
  const reflectGet = Reflect.get
  /** What belongs to an envelope of either kind, and what the language itself asks of any value. */
  const quiet = new Set(["ok", "data", "error", "http", "notice", "then", "toJSON"])
  /** Reading these is no look at how the call went. */
  const unlooked = new Set(["then", "toJSON", "constructor"])
  const failedOf = new WeakMap<object, Failed>()
  const failures: Failed[] = []
  let hint = ""
  let isListed = false

  const notData = "The result of a call is { ok, data }: use .data or .unwrap()"
  const failedBefore = "`data` was read of a call that failed: "

  kit.envelopeGuard = new Proxy(
    {},
    {
      get(_target, key, receiver: object) {
        const failed = failedOf.get(receiver)?.text ?? ""
        if (key === Symbol.iterator && !kit.isRendering) hint = failed === "" ? notData : failedBefore + failed
        if (typeof key === "symbol" || key in plain || quiet.has(key) || kit.isRendering) return reflectGet(plain, key, receiver) as unknown
        const message = kit.bridge.missing(kit.framesOf(new Error()), key, failed)
        if (message !== "") throw new TypeError(message)
        return undefined
      },
    },
  )

  /** A promise that is not awaited says so as well. What any promise has is found in front of the proxy, so that `await` costs nothing. */
  const behind = new Proxy(Object.create(Promise.prototype) as object, {
    get(_target, key, receiver: object) {
      if (typeof key === "symbol" || key in plain || key === "toJSON" || kit.isRendering)
        return reflectGet(Promise.prototype, key, receiver) as unknown
      const message = kit.bridge.missing(kit.framesOf(new Error()), key, "promise")
      if (message !== "") throw new TypeError(message)
      return undefined
    },
  })
  kit.promiseGuard = Object.create(behind, Object.getOwnPropertyDescriptors(Promise.prototype)) as object

  /** One set of traps for all failures; each has a handler of its own that only adds which one it is. */
  type FailedHandler = ProxyHandler<Envelope> & { failed: Failed }
  const traps: ProxyHandler<Envelope> & ThisType<FailedHandler> = {
    get(target, key) {
      if (typeof key === "string" && !unlooked.has(key)) this.failed.isSeen = true
      if (key === "data") hint = failedBefore + this.failed.text
      return (target as unknown as Record<string | symbol, unknown>)[key] // any object can be asked for any key
    },
    has(target, key) {
      this.failed.isSeen = true
      return key in target
    },
    ownKeys(target) {
      this.failed.isSeen = true
      return Reflect.ownKeys(target)
    },
  }

  kit.envelope = (answer, path) => {
    Object.setPrototypeOf(answer, kit.envelopeGuard)
    if (answer.ok) return answer
    const failed: Failed = { text: kit.failureText(path, answer.error), isSeen: false }
    if (failures.length < failuresMax) failures.push(failed)
    const handler = Object.create(traps) as FailedHandler // completed by the next line
    handler.failed = failed
    failedOf.set(answer, failed)
    return new Proxy(answer, handler)
  }

  kit.listed = () => {
    if (!kit.isRendering) isListed = true
  }

  kit.hint = () => hint

  kit.notices = () => {
    const unseen = failures.filter((failed) => !failed.isSeen)
    const shown = unseen.slice(0, failuresShownMax).map((failed) => failed.text)
    const more = unseen.length > shown.length ? `; and ${unseen.length - shown.length} more` : ""
    const [calls, results] = unseen.length === 1 ? ["1 call", "its result was"] : [`${unseen.length} calls`, "their results were"]
    return [
      ...(unseen.length === 0 ? [] : [`${calls} failed and ${results} never looked at: ${shown.join("; ")}${more}`]),
      ...(isListed ? ["`tools` cannot be listed: find tools with `await tools.search({ query })`."] : []),
    ].join("\n")
  }
}
