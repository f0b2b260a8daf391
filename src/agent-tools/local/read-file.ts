// The tool `read_file`: numbered lines of a text file, read only as far as they are asked for.
import type { FileHandle } from "node:fs/promises"
import { defaultLimits } from "../../core/limits.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolHandler, ToolInvocation, ToolOutput, ToolSpec } from "../tool.ts"
import { argumentFields } from "./argument-fields.ts"
import { openFile } from "./held-folder.ts"
import { fileProblem, locate, refused } from "./workspace.ts"
import type { Workspace } from "./workspace.ts"

const linesDefault = 2000
const lineCharsMax = 500
/** Enough for the characters of a line that are shown, and one more. */
const lineBytesMax = 4 * (lineCharsMax + 1)
const chunkBytes = 256 * 1024
/** A file with a NUL in its beginning is not text; Git decides the same way. */
const binaryCheckBytes = 8000

export const readFileSpec: ToolSpec = {
  type: "function",
  name: "read_file",
  description: `Reads a text file of the workspace and returns its lines with their numbers ("L12: text"). Lines are cut after ${lineCharsMax} characters.`,
  parameters: {
    type: "object",
    properties: {
      file_path: { type: "string", description: "The path of the file: absolute, or relative to the workspace." },
      offset: { type: "integer", description: "The line to start at, counted from 1. Defaults to 1." },
      limit: { type: "integer", description: `The maximum number of lines. Defaults to ${linesDefault}.` },
    },
    required: ["file_path"],
    additionalProperties: false,
  },
}

type Slice = { readonly offset: number; readonly limit: number }
type Found = {
  readonly lines: readonly string[]
  /** Numbers of lines that are longer than shown. */
  readonly cut: readonly number[]
  /** Whether the file goes on. */
  readonly hasMore: boolean
}

export class FileReadHandler implements ToolHandler {
  readonly kind = "function"
  readonly #workspace: Workspace

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  async isMutating(): Promise<boolean> {
    return false
  }

  async handle(invocation: ToolInvocation): Promise<ToolOutput> {
    const fields = argumentFields(invocation)
    const path = fields.text("file_path")
    const offset = fields.optionalInteger("offset") ?? 1
    const limit = fields.optionalInteger("limit")
    if (offset < 1) throw FunctionCallError.respondToModel("offset must be a 1-indexed line number")
    if (limit !== null && limit < 1) throw FunctionCallError.respondToModel("limit must be greater than zero")
    const place = await locate(this.#workspace, path)
    const handle = await openFile(this.#workspace, place)
    try {
      const found = await readLines(handle, { offset, limit: limit ?? linesDefault }, place.shown, invocation.signal)
      return { type: "function", content: shownLines(found, offset, limit), success: true }
    } catch (error) {
      throw error instanceof FunctionCallError ? error : fileProblem(place.shown, error as NodeJS.ErrnoException) // reading fails in the file system alone
    } finally {
      await handle.close()
    }
  }
}

function shownLines({ lines, cut, hasMore }: Found, offset: number, limit: number | null): string {
  if (lines.length === 0 && offset === 1) return "[the file is empty]"
  if (lines.length === 0) throw FunctionCallError.respondToModel("offset exceeds file length")
  const notes: string[] = []
  if (cut.length > 0) notes.push(`[cut after ${lineCharsMax} characters: ${cut.length === 1 ? "line" : "lines"} ${listed(cut)}]`)
  // Whoever asked for so many lines knows that there may be more.
  if (hasMore && lines.length !== limit) notes.push(`[the file goes on: continue with offset ${offset + lines.length}]`)
  return [...lines, ...notes].join("\n")
}

const listed = (numbers: readonly number[]): string => numbers.slice(0, 10).join(", ") + (numbers.length > 10 ? ", …" : "")

async function readLines(handle: FileHandle, { offset, limit }: Slice, shown: string, signal: AbortSignal): Promise<Found> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  const lines: string[] = []
  const cut: number[] = []
  let number = 1
  let collectedBytes = 0
  let line: Buffer = Buffer.alloc(0)
  let lineBytes = 0
  const endLine = (): void => {
    const { text, isCut } = lineText(line, lineBytes)
    lines.push(`L${number}: ${text}`)
    if (isCut) cut.push(number)
    collectedBytes += line.length
    line = Buffer.alloc(0)
    lineBytes = 0
  }
  for (let isFirst = true; ; isFirst = false) {
    if (signal.aborted) throw FunctionCallError.respondToModel("aborted")
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes)
    if (bytesRead === 0) break
    const bytes = chunk.subarray(0, bytesRead)
    if (isFirst && bytes.subarray(0, binaryCheckBytes).includes(0)) throw await binaryFile(handle, shown)
    for (let at = 0; at < bytesRead;) {
      const found = bytes.indexOf(10, at)
      const end = found === -1 ? bytesRead : found
      if (number >= offset) {
        if (lines.length === limit || collectedBytes > defaultLimits.agentReadBytesMax) return { lines, cut, hasMore: true }
        const part = bytes.subarray(at, Math.min(end, at + lineBytesMax))
        // The chunk is overwritten by the next one, so that only a line which ends in it needs no copy.
        if (line.length < lineBytesMax) line = line.length === 0 && found !== -1 ? part : Buffer.concat([line, part])
        lineBytes += end - at
        if (found !== -1) endLine()
      }
      if (found !== -1) number += 1
      at = end + 1
    }
  }
  if (lineBytes > 0) endLine()
  return { lines, cut, hasMore: false }
}

/** `bytes` is the length of the whole line, of which the buffer has the beginning. */
function lineText(line: Buffer, bytes: number): { readonly text: string; readonly isCut: boolean } {
  const isWhole = bytes === line.length
  const text = line.toString("utf8")
  const ended = isWhole && text.endsWith("\r") ? text.slice(0, -1) : text
  if (isWhole && ended.length <= lineCharsMax) return { text: ended, isCut: false }
  const characters = Array.from(ended)
  return { text: characters.slice(0, lineCharsMax).join(""), isCut: !isWhole || characters.length > lineCharsMax }
}

async function binaryFile(handle: FileHandle, shown: string): Promise<FunctionCallError> {
  const { size } = await handle.stat()
  return refused(shown, `it is a binary file of ${size} bytes, and read_file shows text only`)
}
