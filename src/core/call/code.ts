// The code that one call is run as: with it, a call pauses, is journaled and resumes like any other execution.
import type { ToolResult } from "../result.ts"

export function callCode(path: string, args: Readonly<Record<string, unknown>>): string {
  return `${opening}${JSON.stringify(path)}](${argsText(args)})`
}

const opening = "return await tools["
const lineCharsMax = 80

/** Whether an execution's code is one call, so that its result is read as a tool's answer. */
export function isCallCode(code: string): boolean {
  const [, quoted, args] = /^return await tools\["[^"\\]*"\]\((?:JSON\.parse\(([\s\S]*)\)|([\s\S]*))\)$/.exec(code) ?? []
  try {
    JSON.parse(quoted ?? args ?? "")
    return true
  } catch {
    return false
  }
}

/** In code `{ "__proto__": … }` would set a prototype; everything else means the same as in JSON. Whoever approves it reads it. */
function argsText(args: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(args)
  if (text.includes('"__proto__"')) return `JSON.parse(${JSON.stringify(text)})`
  return text.length > lineCharsMax ? JSON.stringify(args, null, 2) : text
}

/** Discovery built-ins answer without an envelope. */
export const isEnvelope = (value: unknown): value is ToolResult =>
  typeof value === "object" && value !== null && "ok" in value && typeof value.ok === "boolean" && ("data" in value || "error" in value)
