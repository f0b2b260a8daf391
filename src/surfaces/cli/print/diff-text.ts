// Prints what differs between two definitions of a tool: first what it means, then the JSON.
import type { DefinitionChange, DefinitionDiff, JsonChange } from "../../../core/registry/diff.ts"
import { safeJson, safeLine } from "../../../core/text/safe.ts"
import type { Colors } from "./colors.ts"
import { fitText } from "./width.ts"

const verdicts: Readonly<Record<DefinitionDiff["kind"], string>> = {
  breaking: "breaking: calls that were right before may fail",
  implementation: "implementation: calls that were right before still are, and may do something else",
  widening: "widening: calls that were right before still are",
  text: "only texts differ",
  none: "no difference",
}

export function diffText(title: string, diff: DefinitionDiff, colors: Colors): string {
  return [
    `${colors.bold(title)}: ${painted(diff.kind, verdicts[diff.kind], colors)}`,
    ...(diff.effectChanged ? [colors.red("Its effect changed: whether calls ask for approval may differ")] : []),
    ...diff.changes.map((change) => changeText(change, colors)),
    ...(diff.json.length === 0 ? [] : ["", colors.bold("JSON"), ...diff.json.map(jsonText)]),
    ...(diff.truncated ? ["There are more changes than these"] : []),
  ].join("\n")
}

const changeText = ({ kind, path, message }: DefinitionChange, colors: Colors): string =>
  `  ${painted(kind, kind.padEnd(14), colors)}  ${safeLine(path)}: ${safeLine(message)}`

function painted(kind: DefinitionDiff["kind"], text: string, { red, yellow, green, dim }: Colors): string {
  if (kind === "breaking") return red(text)
  if (kind === "implementation") return yellow(text)
  return kind === "widening" ? green(text) : dim(text)
}

const valueWidthMax = 60
const marks: Readonly<Record<JsonChange["op"], string>> = { add: "+", remove: "-", replace: "~" }

function jsonText({ op, path, before, after }: JsonChange): string {
  const shown = (value: unknown): string => fitText(safeLine(safeJson(value)), valueWidthMax)
  const values = { add: shown(after), remove: shown(before), replace: `${shown(before)} → ${shown(after)}` }
  return `  ${marks[op]} ${safeLine(path)} ${values[op]}`
}

export const versionText = (version: string): string => (version === "working" ? "the working copy" : safeLine(version))
