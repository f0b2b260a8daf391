// Finds a tool call in the text of a model that did not make a structured one.
import { isDeeperThan } from "../../core/json/depth.ts"
import { isRecord } from "../../core/json/record.ts"

export type TextCall = { readonly name: string; readonly input: string }

/** Null where the text is not exactly one JSON value of that form, alone or in a fence. */
export function callInText(text: string): TextCall | null {
  const value = onlyJson(text)
  if (!isRecord(value)) return null
  const name = value["tool"] ?? value["name"]
  const input = value["arguments"] ?? value["args"] ?? value["input"]
  const known = ["tool", "name", "arguments", "args", "input"]
  if (typeof name !== "string" || input === undefined || Object.keys(value).some((key) => !known.includes(key))) return null
  return { name, input: typeof input === "string" ? input : JSON.stringify(input) }
}

/** What is nested deeper is neither a call nor an answer, and takes down whatever walks through it. */
const depthMax = 64

/** A text that is one JSON value, also in a fence; undefined where it is not. */
export function onlyJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(unfenced(text.trim()))
    return isDeeperThan(value, depthMax) ? undefined : value
  } catch {
    return undefined
  }
}

const mark = "```"

function unfenced(text: string): string {
  const firstLine = text.slice(0, text.indexOf("\n") + 1).trimEnd()
  if ((firstLine !== mark && firstLine !== `${mark}json`) || !text.endsWith(mark)) return text
  return text.slice(firstLine.length, -mark.length)
}
