// ToolError, and the message of an uncaught one: which call, why it failed, and what would have been right.
import type { Failure, Kit } from "./kit.ts"

export function installToolError(kit: Kit): void {
  const argsCharsMax = 300
  const listMax = 8
  const itemCharsMax = 300
  type Origin = { readonly path: string; readonly argsJson: string; readonly failure: Failure }
  const origins = new WeakMap<object, Origin>()
  const stringify = JSON.stringify
  const isArray = Array.isArray

  class ToolError extends Error {
    declare code: string
    declare kind: string
    constructor(failure: Failure, site?: Error) {
      super(failure.message ?? "The call failed.")
      const code = failure.code ?? "internal"
      const details = failure.details as { approvalId?: unknown } | undefined // any JSON; only one optional field is read
      Object.assign(this, { code, kind: code === "approval_required" ? "pending" : code })
      if (failure.status !== undefined) Object.assign(this, { status: failure.status })
      if (failure.details !== undefined) Object.assign(this, { details })
      if (failure.retryable !== undefined) Object.assign(this, { retryable: failure.retryable })
      if (code === "approval_required") Object.assign(this, { approvalId: details?.approvalId })
      if (site) Object.defineProperty(this, "stack", { value: kit.stackText(this, kit.framesOf(site)), writable: true, configurable: true })
    }
  }
  Object.defineProperty(ToolError.prototype, "name", { value: "ToolError", writable: true, configurable: true })
  kit.define("ToolError", ToolError)

  kit.toolError = (failure, { path, argsJson, site }) => {
    const error = new ToolError(failure, site)
    Object.assign(error, { tool: path })
    origins.set(error, { path, argsJson, failure })
    return error
  }

  const cut = (text: string, charsMax: number): string => (text.length > charsMax ? `${text.slice(0, charsMax)}…` : text)
  const codeOf = ({ code = "internal", status }: Failure): string => (typeof status === "number" ? `${code} ${status}` : code)

  /** A list of the details, which may be any JSON of a stranger. */
  function listOf(details: unknown, name: string): unknown[] {
    const list: unknown = typeof details === "object" && details !== null ? (details as Record<string, unknown>)[name] : undefined // checked below
    return isArray(list) ? list.slice(0, listMax) : []
  }
  const textsOf = (list: unknown[]): string[] =>
    list.map((item) => (typeof item === "string" ? cut(item, itemCharsMax) : "")).filter((item) => item !== "")

  /** What is wrong besides the first thing, which the message names. */
  function otherIssues(message: string, details: unknown): string {
    const messages = listOf(details, "issues").map((issue) =>
      typeof issue === "object" && issue !== null && "message" in issue ? issue.message : issue,
    )
    const others = textsOf(messages).filter((text) => !message.includes(text))
    const errors = listOf(details, "errors")
    return [...others, ...(errors.length > 0 ? [kit.preview(errors, itemCharsMax)] : [])].map((text) => `; ${text}`).join("")
  }

  function nextStep(details: unknown): string {
    const near = [...textsOf(listOf(details, "suggestions")), ...textsOf(listOf(details, "candidates"))]
    const hint: unknown = typeof details === "object" && details !== null && "hint" in details ? details.hint : undefined
    if (typeof hint === "string") return ` ${cut(hint, itemCharsMax)}`
    const wait: unknown = typeof details === "object" && details !== null && "retryAfter" in details ? details.retryAfter : undefined
    if (typeof wait === "string") return ` Retry after ${cut(wait, itemCharsMax)}${/^\d+$/.test(wait) ? " s" : ""}.`
    return near.length === 0 ? "" : ` Did you mean ${near.join(", ")}?`
  }

  kit.toolErrorText = (error, message) => {
    const origin = origins.get(error)
    if (origin === undefined) return message
    const { path, argsJson, failure } = origin
    const said = message + otherIssues(message, failure.details)
    const next = nextStep(failure.details)
    const stop = next === "" || /[.!?]$/.test(said) ? "" : "."
    return `${path}(${argsJson === "{}" ? "" : cut(argsJson, argsCharsMax)}) failed: ${codeOf(failure)}: ${said}${stop}${next}`
  }

  /** Written by hand, because the guest may have given objects a `toJSON`. */
  kit.toolErrorFields = (error) => {
    const origin = origins.get(error)
    if (origin === undefined) return ""
    const { status } = origin.failure
    const fields = `"tool":${stringify(origin.path)},"code":${stringify(origin.failure.code ?? "internal")}`
    return `{${fields}${typeof status === "number" ? `,"status":${status}` : ""}}`
  }

  kit.failureText = (path, failure) => `${path} (${codeOf(failure)}: ${cut(failure.message ?? "", itemCharsMax)})`.replace(/\s+/g, " ")
}
