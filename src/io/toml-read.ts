// Reads a TOML file as plain values, with what is wrong in one line.
import { TomlError, parse } from "smol-toml"

export type ReadToml =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: string }

const reasonCharsMax = 300

export function readToml(text: string): ReadToml {
  try {
    return { ok: true, value: parse(text) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const place = error instanceof TomlError ? ` (line ${error.line}, column ${error.column})` : ""
    return { ok: false, reason: `it is not valid TOML: ${message.split("\n", 1)[0]?.slice(0, reasonCharsMax) ?? ""}${place}` }
  }
}
