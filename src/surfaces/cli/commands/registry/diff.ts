// `executor registry diff`: shows what differs between two versions of a tool: first what it means, then the JSON.
import type { Command } from "commander"
import type { DefinitionChange, DefinitionDiff, JsonChange } from "../../../../core/registry/diff.ts"
import { safeJson, safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import type { Colors } from "../../print/colors.ts"
import { fitText } from "../../print/width.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"

export function configure(command: Command): void {
  toolArgument(command)
    .description(
      "Show what differs between two versions of a tool, the worst first. Breaking: a call that was right may be wrong now. Implementation: the same calls are right, and may do something else. Widening: whatever was right still is. Text: only texts differ.",
    )
    .argument("[from]", "A version, or `working` for the working copy; by default the published one.")
    .argument("[to]", "The same; by default the working copy.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} registry diff show_order\n  $ ${executorCommand} registry diff show_order 1.0.0 1.0.1\n`,
    )
  actOnTool<[string | undefined, string | undefined], object>(command, async (tool, [from, to], _options, context) => {
    const diff = await context.api.registry.diff(tool.id, omitUndefined({ from, to }))
    const title = `${safeLine(tool.slug)} from ${versionText(from ?? tool.publishedVersion ?? "")} to ${versionText(to ?? "working")}`
    context.print(diff, () => diffText(title, diff, context.screen.out))
  })
}

const versionText = (version: string): string => (version === "working" ? "the working copy" : safeLine(version))

const verdicts: Readonly<Record<DefinitionDiff["kind"], string>> = {
  breaking: "breaking: calls that were right before may fail",
  implementation: "implementation: calls that were right before still are, and may do something else",
  widening: "widening: calls that were right before still are",
  text: "only texts differ",
  none: "no difference",
}

function diffText(title: string, diff: DefinitionDiff, colors: Colors): string {
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
