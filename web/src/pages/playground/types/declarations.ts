// The files that the types are read from: the code in a function of its own, what stands around it, and the tools.

/** On the first line, so that lines stay as they are. */
const opening = "export {}; async function main() {"

export type Framed = { readonly text: string; readonly offset: number }

/** Code is the body of a function, unless it exports one. */
export const framed = (code: string): Framed =>
  /^\s*export\s+default\b/m.test(code) ? { text: code, offset: 0 } : { text: `${opening}${code}\n}`, offset: opening.length }

/** The server's file ends with globals, which all integrations share here. */
export const withoutGlobals = (text: string): string => {
  const at = text.lastIndexOf("\ndeclare global {")
  return at === -1 ? text : text.slice(0, at)
}

/** `tools` has the types that are here; everything else of it has none. */
export const toolsFile = (integrations: readonly string[]): string => `${integrations
  .map((name, at) => `import type { Tools as Tools${at} } from "./tools-${name}"`)
  .join("\n")}
declare global {
  const tools: ${integrations.map((_, at) => `Tools${at} & `).join("")}{ [name: string]: any }
  /** Shows a value to the user beside the result. */
  function emit(value: unknown): void
  /** Keeps a value for later executions of the same session. */
  function store(key: string, value: unknown): Promise<void>
  /** What was kept, or null. */
  function load(key: string): Promise<any>
}
export {}
`

/** What the sandbox has besides the language. */
export const globalsFile = `
interface Console { log(...values: unknown[]): void; info(...values: unknown[]): void; warn(...values: unknown[]): void; error(...values: unknown[]): void; debug(...values: unknown[]): void }
declare const console: Console
declare function setTimeout(run: (...args: any[]) => void, ms?: number, ...args: any[]): number
declare function clearTimeout(id?: number): void
declare function setInterval(run: (...args: any[]) => void, ms?: number, ...args: any[]): number
declare function clearInterval(id?: number): void
declare function queueMicrotask(run: () => void): void
declare function structuredClone<T>(value: T): T
declare function atob(text: string): string
declare function btoa(text: string): string
declare const performance: { now(): number }
declare const crypto: { randomUUID(): string; getRandomValues<T extends ArrayBufferView>(array: T): T; subtle: { digest(algorithm: string, bytes: ArrayBufferView | ArrayBuffer): Promise<ArrayBuffer> } }
declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: string | Record<string, string> | Iterable<[string, string]>)
  readonly size: number
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  entries(): IterableIterator<[string, string]>
  forEach(run: (value: string, name: string) => void): void
  [Symbol.iterator](): IterableIterator<[string, string]>
  toString(): string
}
declare class URL {
  constructor(url: string, base?: string | URL)
  static canParse(url: string, base?: string): boolean
  static parse(url: string, base?: string): URL | null
  href: string; readonly origin: string; protocol: string; username: string; password: string; host: string; hostname: string
  port: string; pathname: string; search: string; hash: string
  readonly searchParams: URLSearchParams
  toString(): string
}
declare class TextEncoder { encode(text?: string): Uint8Array }
declare class TextDecoder { constructor(label?: string); decode(bytes?: ArrayBufferView | ArrayBuffer): string }
declare class AbortSignal { readonly aborted: boolean; readonly reason: any; throwIfAborted(): void }
declare class AbortController { readonly signal: AbortSignal; abort(reason?: unknown): void }
declare class Headers implements Iterable<[string, string]> {
  constructor(init?: Record<string, string> | Iterable<[string, string]>)
  get(name: string): string | null
  has(name: string): boolean
  set(name: string, value: string): void
  append(name: string, value: string): void
  delete(name: string): void
  [Symbol.iterator](): IterableIterator<[string, string]>
}
`
