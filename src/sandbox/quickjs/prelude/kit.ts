// What the parts of the prelude share inside the guest, and the few functions through which they reach the host.
//
// The parts are functions whose source text is evaluated in the guest, so none may refer to anything outside its own
// body. The guest's code can reach neither the kit nor the bridge; should it steal a bridge function by patching a
// built-in, it gains nothing, because each does only what the globals offer anyway and trusts none of its arguments.

export type Bridge = {
  /** The number of the call; below zero it was refused: see `callRefusals`. */
  call(kind: number, path: string, argsJson: string, line: number): number
  /** Level -1 tells how many lines were dropped, level -2 how many emitted values. */
  log(level: number, text: string): void
  /** How many bytes may still be emitted. */
  emit(json: string): number
  /** When the next timer is due (-1: none), and how many timeouts, not intervals, are armed. */
  timers(nextDueMs: number, timeouts: number): void
  random(bytes: number): Uint8Array
  /** JSON of the parts of a URL; empty when it is none. */
  url(property: string, href: string, value: string): string
  /** `v` and the JSON of what `Intl` says, or the message of a RangeError behind `r`, of a TypeError behind `t`. */
  locale(kind: string, method: string, argsJson: string, settingsJson: string): string
  /** Undefined when the algorithm is not known. */
  digest(algorithm: string, bytes: Uint8Array): Uint8Array | undefined
  encode(text: string): Uint8Array
  /** A number says why there is none: see `decodeFailures`. */
  decode(label: string, flags: string, bytes: Uint8Array): string | number
  /**
   * Something was read that an envelope does not have, or the promise of one: the message to throw, or empty where the code is
   * prepared for that. `holder`: empty for an envelope, how its call failed, or `promise`.
   */
  missing(frames: string, property: string, holder: string): string
}

export const bridgeNames: readonly (keyof Bridge)[] = [
  "call",
  "log",
  "emit",
  "timers",
  "random",
  "url",
  "locale",
  "digest",
  "encode",
  "decode",
  "missing",
]

export const callRefusals = { callsMax: -1, argsBytesMax: -2, argsShapeMax: -3 } as const

export const decodeFailures = { label: 1, bytes: 2 } as const

export type PreludeLimits = {
  readonly callsMax: number
  readonly argsBytesMax: number
  readonly argsObjectKeysMax: number
  readonly argsValuesMax: number
  readonly logLinesMax: number
  readonly logBytesMax: number
  readonly resultCharsMax: number
}

export type Failure = { code?: string; message?: string; status?: number; details?: unknown; retryable?: boolean }

export type Envelope = { ok: true; data: unknown } | { ok: false; error: Failure }

/** A call as the code wrote it, and where. */
export type CallSite = { readonly path: string; readonly argsJson: string; readonly site: Error }

export type Kit = {
  readonly bridge: Bridge
  readonly limits: PreludeLimits
  readonly builtinPaths: readonly string[]
  readonly global: typeof globalThis
  /** Adds a global as engines do: writable and not enumerable. */
  define(name: string, value: unknown): void
  /** True while a value is turned into text, when reading a tools proxy must not become a call. */
  isRendering: boolean
  /** `raw`: every call behaves like `.unwrap()`. */
  isRaw: boolean
  logsDropped: number
  emitsDropped: number
  /** The proxies of tools, with their paths. */
  readonly toolProxies: WeakMap<object, string>
  /** Readable JSON of any value; undefined for undefined; null when it is over the limit. */
  render(value: unknown, charsMax: number): string | undefined | null
  /** The same with what iterators give; they are used up by it. */
  renderAll(value: unknown, charsMax: number): string | undefined | null
  /** What `render` gives, with a mark where it was cut, never null. */
  preview(value: unknown, charsMax: number): string
  /** Where an error was made, in the code itself. */
  framesOf(error: Error): string
  /** The line of the code itself in which an error was made; 0 where it is not known. */
  lineOf(error: Error): number
  /** What `stack` says of an error that was made there. */
  stackText(error: Error, frames: string): string
  /** What a failed allocation throws: neither an error nor any other value. */
  isNoValue(error: unknown): boolean
  /** Tells the host how many lines and emitted values were dropped since it was told last. */
  reportDropped(): void
  bytesOf(input: unknown): Uint8Array
  decode(label: string, flags: string, bytes: Uint8Array): string
  /** The property under which a URL listens to its own parameters. */
  urlChanged: symbol
  resetParams(params: URLSearchParams, search: string): void
  toolError(failure: Failure, call: CallSite): Error
  /** The message of an error with the call it is of; the message alone for any other. */
  toolErrorText(error: Error, message: string): string
  /** JSON of `{ tool, code, status? }`; empty for any other error. */
  toolErrorFields(error: Error): string
  failureText(path: string, failure: Failure): string
  /** The prototype of envelopes. */
  envelopeGuard: object
  /** The prototype of the promises of calls. */
  promiseGuard: object
  /** The answer as the code gets it. */
  envelope(answer: Envelope, path: string): Envelope
  /** What an envelope was last taken for, which may explain an error that follows; empty where there is nothing of the kind. */
  hint(): string
  /** Notes what a call answers, for messages about code that takes it for something else. `form`: `e` in an envelope, `v` without one. */
  noteShape(path: string, form: string, data: unknown): void
  /** JSON of these notes by path. */
  shapes(): string
  /** Somebody asked for the keys of `tools`. */
  listed(): void
  /** What is to be told at the end, one line each. */
  notices(): string
  tools: object
  require: (name: unknown) => never
  call(kind: number, path: string, args: unknown): Promise<unknown>
  start(code: (exported: object, require: unknown) => Promise<unknown>, shape: number, mode: number, ...input: unknown[]): Promise<unknown>
  settle(seqAndForm: number, value: unknown): void
  fireTimer(): number
  /** `u` for undefined, `x` for too much, or `v` and the JSON. */
  finish(value: unknown): string
  /** JSON of `[name, message, stack, toolErrorFields, hint, shapes]`. */
  describeError(error: unknown): string
}

/** What the host calls; everything else of the kit stays inside. */
export const guestEntries = ["start", "settle", "fireTimer", "finish", "describeError", "notices"] as const satisfies readonly (keyof Kit)[]
export type GuestEntry = (typeof guestEntries)[number]

export type PreludePart = (kit: Kit) => void
