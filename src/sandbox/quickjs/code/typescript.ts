// Strips types with sucrase, keeping every line in its place.
import { createRequire } from "node:module"
import type { transform } from "sucrase"

export type StrippedCode =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly message: string; readonly line: number | undefined; readonly column: number | undefined }

type Sucrase = { readonly transform: typeof transform }

const requireFromHere = createRequire(import.meta.url)
let loaded: Sucrase | undefined

/** Loading takes tens of milliseconds and plain JavaScript never needs it, so a worker does it after it has said that it is ready. */
export function loadSucrase(): Sucrase {
  loaded ??= requireFromHere("sucrase") as Sucrase // the package's own types describe this module
  return loaded
}

const optionsOf = (isModule: boolean): Parameters<typeof transform>[1] => ({
  transforms: isModule ? ["typescript", "imports"] : ["typescript"],
  disableESTransforms: true,
  production: true,
  keepUnusedImports: true,
})

export function stripTypes(code: string, isModule: boolean): StrippedCode {
  try {
    const stripped = loadSucrase().transform(code, optionsOf(isModule)).code
    return lostNamespace(code, stripped) ?? { ok: true, code: withSemicolons(code, stripped) }
  } catch (error) {
    return strippingFailure(error)
  }
}

/** The column in the source of a position in the stripped text, or the position itself when nothing is known. */
export function sourceColumn(code: string, isModule: boolean, line: number, column: number): number {
  try {
    const { code: stripped, sourceMap } = loadSucrase().transform(code, {
      ...optionsOf(isModule),
      filePath: "code.ts",
      sourceMapOptions: { compiledFilename: "code.js" },
    })
    return mappedColumn(sourceMap?.mappings ?? "", line, charColumn(stripped.split("\n")[line - 1] ?? "", column))
  } catch {
    return column
  }
}

/** The engine counts bytes; people and JavaScript count characters. */
export const charColumn = (line: string, byteColumn: number): number =>
  Buffer.from(line)
    .subarray(0, byteColumn - 1)
    .toString("utf8").length + 1

/**
 * Sucrase takes a `;` that begins the line after a type alias for the end of the alias. Where that joins two
 * statements (`;[a].forEach()`), the semicolon is put back; lines stay in place, so they can be compared.
 */
function withSemicolons(source: string, stripped: string): string {
  if (!/\n[ \t]*;[ \t]*[[(`+\-/*]/.test(source)) return stripped
  const sourceLines = source.split("\n")
  const lines = stripped.split("\n")
  if (sourceLines.length !== lines.length) return stripped
  return lines.map((line, index) => (lostSemicolon(sourceLines[index] ?? "", line) ? `;${line}` : line)).join("\n")
}

const lostSemicolon = (source: string, stripped: string): boolean =>
  /^[ \t]*;[ \t]*[[(`+\-/*]/.test(source) && /^[ \t]*[[(`+\-/*]/.test(stripped)

/** Sucrase takes a namespace for a type and drops it. Lines stay in place, so that one that is still there stood in a text. */
function lostNamespace(source: string, stripped: string): StrippedCode | null {
  if (!namespaceStart.test(source)) return null
  const lines = stripped.split("\n")
  const line = source.split("\n").findIndex((text, index) => namespaceStart.test(text) && !namespaceStart.test(lines[index] ?? ""))
  if (line < 0) return null
  return {
    ok: false,
    message: "Namespaces are not available in the sandbox: use an object or a function instead.",
    line: line + 1,
    column: 1,
  }
}

const namespaceStart = /^[ \t]*(?:export[ \t]+)?(?:namespace|module)[ \t]+[\w$.]+[ \t]*\{/m

function strippingFailure(error: unknown): StrippedCode {
  if (error instanceof RangeError) return { ok: false, message: "The code is nested too deeply.", line: undefined, column: undefined }
  const message = error instanceof Error ? error.message : "The code could not be read."
  const at = /\((\d+):(\d+)\)\s*$/.exec(message)
  return {
    ok: false,
    message: message.replace(/\s*\(\d+:\d+\)\s*$/, ""),
    line: at ? Number(at[1]) : undefined,
    column: at ? Number(at[2]) : undefined,
  }
}

const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Reads one line of a source map: the last mapping at or before the column. Lines and columns count from 1. */
function mappedColumn(mappings: string, line: number, column: number): number {
  const lines = mappings.split(";")
  let sourceColumnAt = 0
  let best = column
  for (let index = 0; index < line && index < lines.length; index++) {
    let generatedAt = 0
    for (const segment of (lines[index] ?? "").split(",")) {
      const fields = decodeVlq(segment)
      if (fields.length < 4) continue
      generatedAt += fields[0] ?? 0
      sourceColumnAt += fields[3] ?? 0
      if (index === line - 1 && generatedAt <= column - 1) best = sourceColumnAt + (column - 1 - generatedAt) + 1
    }
  }
  return best
}

function decodeVlq(segment: string): number[] {
  const fields: number[] = []
  let value = 0
  let shift = 0
  for (const char of segment) {
    const digit = base64.indexOf(char)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    fields.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return fields
}
