// The bytes of a file that came as an argument.
import type { ToolFile } from "../../../core/result.ts"
import { isToolFile } from "../../../core/result.ts"
import { ArgumentProblem } from "./serialize-problem.ts"
import { textOf } from "./serialize-style.ts"

const base64Pattern = /^[A-Za-z0-9+/_-]*={0,2}$/

export function fileBytes(file: ToolFile, arg: string): Buffer {
  const text = file.data.replace(/\s+/g, "")
  if (!base64Pattern.test(text)) throw new ArgumentProblem(arg, `The data of the file '${arg}' is not base64`)
  return Buffer.from(text, "base64")
}

/** Where the document wants bytes: those of a file, or text as it is. */
export const contentBytes = (value: unknown, arg: string): Buffer | string => (isToolFile(value) ? fileBytes(value, arg) : textOf(value))
