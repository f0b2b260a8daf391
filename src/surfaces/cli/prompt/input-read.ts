// Reads what may be given as text, as `-` for stdin, or as `@file`.
import { isRecord } from "../../../core/json/record.ts"
import { readFileSync } from "node:fs"
import { parseJsonExactly } from "../../../core/json/long-integer.ts"
import { UsageError } from "../usage-error.ts"

/** `name`: how messages call it, e.g. "The arguments". */
export async function readInput(input: string, name: string): Promise<string> {
  if (input === "-") return readStdin()
  return input.startsWith("@") ? readTextFile(input.slice(1), name) : input
}

export async function readJsonObject(input: string, name: string): Promise<Record<string, unknown>> {
  const value = await readJson(input, name)
  if (isRecord(value)) return value
  throw new UsageError(`${name} must be a JSON object, e.g. '{"id":1}'`)
}

export async function readJson(input: string, name: string): Promise<unknown> {
  const text = await readInput(input, name)
  try {
    return parseJsonExactly(text)
  } catch (error) {
    throw new UsageError(`${name} could not be parsed as JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function readTextFile(path: string, name: string): string {
  try {
    return withoutMark(readFileSync(path, "utf8"))
  } catch (error) {
    throw new UsageError(`${name} cannot be read from '${path}': ${fileTrouble(error)}`)
  }
}

/** Without the system's own code, and without the path again. */
export function fileTrouble(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException // what is no such error has none
  if (code === "ENOENT") return "there is no such file"
  if (code === "EISDIR") return "it is a directory"
  if (code === "EACCES" || code === "EPERM") return "permission denied"
  return error instanceof Error ? error.message : String(error)
}

/** A file that is written need not be there, but its directory must. */
export const writeTrouble = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such directory" : fileTrouble(error) // what is no such error has none

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array)) // stdin gives bytes while no encoding is set
  return withoutMark(Buffer.concat(chunks).toString("utf8"))
}

/** Some editors begin a file with a byte order mark, which no parser expects. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "")
