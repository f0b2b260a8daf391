// The `tools` proxy, and the promise a call returns.
import type { CallSite, Envelope, Failure, Kit } from "./kit.ts"

export function installTools(kit: Kit): void {
  type ToolPromise = Promise<unknown> & { unwrap(): Promise<unknown> }
  type OpenCall = CallSite & { resolve(value: unknown): void; reject(error: unknown): void; isRaw: boolean }

  const forms = { envelope: 0, value: 1, reject: 2 }
  const toolKind = 0
  const open = new Map<number, OpenCall>()
  /** What answers without an envelope, so that a refusal must reject: the built-ins, and whatever has done so. */
  const valuePaths = new Set(kit.builtinPaths)
  const stringify = JSON.stringify
  /** What the engine says, in words that help. */
  const reasons: Record<string, string> = {
    "circular reference": "they contain themselves.",
    "BigInt are forbidden in JSON.stringify": "they hold a BigInt; pass a number or a text instead.",
  }

  /** The host says which answers are envelopes: what an upstream sends may look like one, and is data all the same. */
  const envelopes = new WeakSet<object>()
  const isEnvelope = (value: unknown): value is Envelope => typeof value === "object" && value !== null && envelopes.has(value)

  function unwrapped(envelope: Envelope, call: CallSite): unknown {
    if (envelope.ok) return envelope.data
    throw kit.toolError(envelope.error, call)
  }

  const refusals = {
    callsMax: { code: "budget_exceeded", message: `An execution may make ${kit.limits.callsMax} calls.` },
    argsBytesMax: { code: "invalid_arguments", message: `The arguments of a call may have ${kit.limits.argsBytesMax} bytes.` },
    argsShapeMax: {
      code: "invalid_arguments",
      message: `The arguments of a call may have ${kit.limits.argsObjectKeysMax} keys in one object and ${kit.limits.argsValuesMax} values in all; send them in several calls.`,
    },
    storeBytesMax: { code: "invalid_arguments", message: `store: a value may have ${kit.limits.argsBytesMax} bytes of JSON; keep less.` },
  }

  function refusalOf(seq: number, kind: number): Failure {
    if (seq === -1) return refusals.callsMax
    if (seq === -3) return refusals.argsShapeMax
    return kind === toolKind ? refusals.argsBytesMax : refusals.storeBytesMax
  }

  function noteShape(path: string, form: number, value: unknown): void {
    if (form === forms.value) return kit.noteShape(path, "v", value)
    const envelope = value as Envelope // the host says so
    if (form === forms.envelope && envelope.ok) kit.noteShape(path, "e", envelope.data)
  }

  function settleOpen(entry: OpenCall, form: number, value: unknown): void {
    noteShape(entry.path, form, value)
    if (form === forms.envelope && entry.isRaw) {
      try {
        entry.resolve(unwrapped(value as Envelope, entry)) // the host says so
      } catch (error) {
        entry.reject(error)
      }
      return undefined
    }
    if (form === forms.value) valuePaths.add(entry.path)
    if (form === forms.reject) return entry.reject(kit.toolError(value as Failure, entry)) // the host answers a failure's fields
    if (form !== forms.envelope) return entry.resolve(value)
    const envelope = kit.envelope(value as Envelope, entry.path) // the host says so
    envelopes.add(envelope)
    return entry.resolve(envelope)
  }

  const issuesOf = (code: string, message: string) => ({ issues: [{ path: "", code, message }] })

  /** Arguments are refused with issues wherever they are checked. */
  function withIssues(error: Failure): Failure {
    if (error.code !== "invalid_arguments" || error.details !== undefined) return error
    return { ...error, details: issuesOf("invalid_value", error.message ?? "") }
  }

  /** A call that does not leave the guest answers as its tool would. */
  function refuse(entry: OpenCall, kind: number, failure: Failure): void {
    const error = withIssues(failure)
    if (kind !== toolKind || valuePaths.has(entry.path)) settleOpen(entry, forms.reject, error)
    else settleOpen(entry, forms.envelope, { ok: false, error })
  }

  /** What JSON writes as `{}`, although it holds something, and what to do instead. */
  const emptyKinds = [
    [Promise, "a Promise; `await` it first"],
    [Map, "a Map; use Object.fromEntries(map)"],
    [Set, "a Set; use [...set]"],
  ] as const
  const kindOf = (value: unknown): string => emptyKinds.find(([Kind]) => value instanceof Kind)?.[1] ?? ""

  /** Names the first value inside that would be sent empty. */
  function emptied(args: unknown): string {
    const paths = new Map<unknown, string>()
    let found = ""
    stringify(args, function (this: unknown, key: string, item: unknown) {
      const path = paths.has(this) ? `${paths.get(this)}${Array.isArray(this) ? `[${key}]` : `.${key}`}` : key
      if (typeof item === "object" && item !== null) paths.set(item, path)
      const kind = found === "" ? kindOf(item) : ""
      if (kind !== "") found = path === "" ? `this is ${kind}` : `'${path.replace(/^\./, "")}' is ${kind}`
      return item
    })
    return found
  }

  /** The arguments as JSON, or why there is none. */
  function written(name: string, args: unknown): string | Failure {
    try {
      const json: string | undefined = args === undefined ? "{}" : stringify(args)
      const empty = json?.includes("{}") && args !== undefined ? emptied(args) : ""
      if (json !== undefined && empty === "") return json
      const isStored = name.startsWith("The value")
      const message =
        empty !== "" ? `${name}: ${empty}.` : isStored ? `${name}: a ${typeof args} cannot be stored.` : `${name} must be an object.`
      return { code: "invalid_arguments", message, details: issuesOf("wrong_type", message) }
    } catch (error) {
      if (kit.isNoValue(error) || (error instanceof Error && error.name === "InternalError")) throw error
      const reason = error instanceof Error ? error.message : kit.preview(error, 200)
      return { code: "invalid_arguments", message: `${name} cannot be written as JSON: ${reasons[reason] ?? reason}` }
    }
  }

  const setPrototype = Object.setPrototypeOf
  function guarded(promise: Promise<unknown>): Promise<unknown> {
    setPrototype(promise, kit.promiseGuard)
    return promise
  }

  kit.call = (kind, path, args) => {
    const json = written(kind === toolKind ? `The arguments of ${path}` : `The value of store(${stringify(path)})`, args)
    const made: CallSite = { path, argsJson: typeof json === "string" ? json : "…", site: new Error() }
    const promise = new Promise<unknown>((resolve, reject) => {
      const entry: OpenCall = { ...made, resolve, reject, isRaw: kit.isRaw }
      if (typeof json !== "string") return refuse(entry, kind, json)
      const seq = kit.bridge.call(kind, path, json, kit.lineOf(made.site))
      if (seq >= 0) open.set(seq, entry)
      else refuse(entry, kind, refusalOf(seq, kind))
    })
    const call = promise as ToolPromise // completed by the next line
    call.unwrap = () => guarded(promise.then((value) => (isEnvelope(value) ? unwrapped(value, made) : value)))
    return guarded(call)
  }

  kit.settle = (seqAndForm, value) => {
    const seq = Math.floor(seqAndForm / 4)
    const entry = open.get(seq)
    if (!entry) return
    open.delete(seq)
    settleOpen(entry, seqAndForm % 4, value)
  }

  function readOnly(): never {
    throw new TypeError("`tools` is read-only: call a tool, or find one with `tools.search({ query })`.")
  }

  const isAskedForJson = /(?:^|\.)toJSON$/
  const jsonOf = (path: string): string => (path === "" ? "[tools]" : `[tools.${path}]`)

  /** One set of traps for all proxies; each has a handler of its own that only adds the path. */
  type PathHandler = ProxyHandler<object> & { path: string }
  const traps: ProxyHandler<object> & ThisType<PathHandler> = {
    get(_target, key) {
      const { path } = this
      if (key === Symbol.toPrimitive) return () => (path === "" ? "tools" : `tools.${path}`)
      if (typeof key === "symbol" || key === "then") return undefined
      if (kit.isRendering && key === "toJSON") return undefined
      return proxyOf(path === "" ? key : `${path}.${key}`)
    },
    apply(_target, _self, args: unknown[]) {
      const { path } = this
      // JSON.stringify asks with the name of a property; a tool's arguments are never a text.
      if (typeof args[0] === "string" && isAskedForJson.test(path)) return jsonOf(path.replace(isAskedForJson, ""))
      return kit.call(toolKind, path, args[0])
    },
    construct: readOnly,
    set: readOnly,
    defineProperty: readOnly,
    deleteProperty: readOnly,
    setPrototypeOf: readOnly,
    preventExtensions: readOnly,
    getPrototypeOf: () => null,
    has: () => false,
    ownKeys() {
      kit.listed()
      return []
    },
    getOwnPropertyDescriptor: () => undefined,
  }
  const callable = (): void => {}

  /** The root is a plain object, everything below it can be called. */
  function proxyOf(path: string): object {
    const handler = Object.create(traps) as PathHandler // the path follows at once
    handler.path = path
    const proxy = new Proxy(path === "" ? {} : callable, handler)
    kit.toolProxies.set(proxy, path)
    return proxy
  }

  kit.tools = proxyOf("")
  kit.define("tools", kit.tools)
  const badKey = (name: string, key: unknown): Promise<never> =>
    Promise.reject(new TypeError(`${name}: the key must be a string, not ${key === null ? "null" : typeof key}.`))
  kit.define("store", (key: unknown, value: unknown) =>
    typeof key === "string" ? kit.call(1, key, value === undefined ? null : value) : badKey("store", key),
  )
  kit.define("load", (key: unknown) => (typeof key === "string" ? kit.call(2, key, null) : badKey("load", key)))
  /** What the host has room for. */
  let room = Infinity
  kit.define("emit", (value: unknown) => {
    const json = room === 0 ? null : kit.render(value, Math.min(kit.limits.resultCharsMax, room))
    if (json === null && room > kit.limits.resultCharsMax) throw new RangeError("emit: the value is too large.")
    if (json === null || (json ?? "").length > room) kit.emitsDropped += 1
    else room = kit.bridge.emit(json ?? "null")
  })
}
