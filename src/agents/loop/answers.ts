// Reads what the journal has of a call's answer, and writes it for a model.
import { isRecord } from "../../core/json/record.ts"
import type { ToolResult } from "../../core/result.ts"

/** `reject` has the fields of an error; everything else is an envelope, or a built-in's own value. */
export function readAnswer(form: string, json: string): ToolResult {
  const value = JSON.parse(json) as unknown
  if (form === "reject") return { ok: false, error: value as Extract<ToolResult, { ok: false }>["error"] } // written by the journal
  if (form === "envelope" && isRecord(value)) return value as ToolResult // written by the journal
  return { ok: true, data: value }
}

export const textOf = (data: unknown): string => (typeof data === "string" ? data : (JSON.stringify(data) ?? "null"))
