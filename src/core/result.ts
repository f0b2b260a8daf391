// The envelope that every tool call returns, and how it carries files.
import type { ErrorCode } from "./errors.ts"
import { errorTable } from "./errors.ts"

export type HttpMeta = { readonly status: number; readonly headers: Record<string, string> }

export type ToolError = {
  readonly code: ErrorCode
  readonly message: string
  readonly status?: number
  readonly details?: unknown
  readonly retryable?: boolean
}

/** Said beside an answer: it concerns the tool rather than this call. */
/** `replacedBy`: the path of the tool to use instead. */
export type ToolNotice = { readonly code: "deprecated"; readonly message: string; readonly replacedBy?: string }

export type ToolSuccess<T = unknown> = { readonly ok: true; readonly data: T; readonly http?: HttpMeta; readonly notice?: ToolNotice }
export type ToolFailure = { readonly ok: false; readonly error: ToolError; readonly notice?: ToolNotice }
export type ToolResult<T = unknown> = ToolSuccess<T> | ToolFailure

export type ToolFile = {
  readonly _tag: "ToolFile"
  readonly name?: string
  readonly mimeType: string
  readonly encoding: "base64"
  readonly data: string
  readonly byteLength: number
}

export const succeed = <T>(data: T, http?: HttpMeta): ToolSuccess<T> => (http ? { ok: true, data, http } : { ok: true, data })

export function fail(code: ErrorCode, message: string, extra: Omit<ToolError, "code" | "message"> = {}): ToolFailure {
  const retryable = extra.retryable ?? errorTable[code].retryable
  return { ok: false, error: { code, message, ...extra, ...(retryable ? { retryable } : {}) } }
}

/** JSON has no symbols: nothing that arrives as JSON can carry this mark. A copy of this module in another package has the same one. */
const fileMark = Symbol.for("executor.ToolFile")

/** An object that claims to be a file but was not made by us; its `_tag` says so wherever it goes. */
export const untrustedFileTag = "UntrustedToolFile"

export function toolFile(bytes: Uint8Array, mimeType: string, name?: string): ToolFile {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
  const named = name === undefined ? {} : { name }
  const file: ToolFile = { _tag: "ToolFile", ...named, mimeType, encoding: "base64", data, byteLength: bytes.byteLength }
  Object.defineProperty(file, fileMark, { value: true })
  return Object.freeze(file)
}

/** Made by `toolFile` in this process, never by parsing input. */
export const isMadeFile = (value: object): value is ToolFile => Object.hasOwn(value, fileMark)

/** Looks like a file. In a recorded result it is one, because the gate renames every other claim; in arguments it is only the caller's claim. */
export const isToolFile = (value: unknown): value is ToolFile =>
  typeof value === "object" &&
  value !== null &&
  "_tag" in value &&
  value._tag === "ToolFile" &&
  "data" in value &&
  typeof value.data === "string"
