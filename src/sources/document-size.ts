// Bounds how many values a text can hold, before it is parsed: parsing is one step that cannot be stopped when memory runs out.
import { ExecutorError } from "../core/errors.ts"
import { raiseLimit } from "../core/limits.ts"

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const dash = 0x2d
const bracket = 0x5b
const brace = 0x7b

/** Throws an `ExecutorError` for a text of more values than allowed. */
export function checkSize(text: string, format: "json" | "yaml", nodesMax: number): void {
  // A value takes two characters at least: its own and what separates it from the next.
  if (text.length / 2 <= nodesMax) return
  const nodes = format === "json" ? jsonNodes(text) : yamlNodes(text)
  if (nodes > nodesMax)
    throw new ExecutorError("payload_too_large", `The document holds more than ${nodesMax} values. ${raiseLimit("documentNodesMax")}`)
}

/** Each value follows a bracket or a comma. */
function jsonNodes(text: string): number {
  let nodes = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (code === comma || code === bracket || code === brace) nodes += 1
  }
  return nodes
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quote) return at
  }
  return text.length
}

/** At most: prose holds commas and colons too. */
function yamlNodes(text: string): number {
  let nodes = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === comma || code === colon || code === bracket || code === brace) nodes += 1
    else if (code === dash && text.charCodeAt(at + 1) <= 0x20) nodes += 1
  }
  return nodes
}
