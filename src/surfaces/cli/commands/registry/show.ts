// `executor registry show`: shows one tool: how it stands, what it takes, how it is performed.
import type { Command } from "commander"
import type { RegistryToolView } from "../../../../core/registry/tool.ts"
import { safeJson, safeLine, safeText } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Colors } from "../../print/colors.ts"
import { shortTime } from "../../print/page.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import { registryPath, standText, statusText } from "../../registry/text.ts"

export function configure(command: Command): void {
  toolArgument(command)
    .description("Show the working copy of a tool. Secrets are shown as ***.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} registry show open_orders\n  $ ${executorCommand} registry show open_orders --json > tool.json\n`,
    )
  actOnTool<[], object>(command, async (tool, _rest, _options, context) => {
    context.print(tool, () => toolText(tool, context.screen.out))
  })
}

function toolText(tool: RegistryToolView, { bold }: Colors): string {
  const { configSchema, schema } = tool
  const block = (title: string, value: unknown): string[] => ["", bold(title), indented(safeJson(value, 2))]
  const { code, ...implementation } = configSchema.implementation
  return [
    `${bold(safeLine(tool.slug))}  ${safeLine(tool.name)}`,
    ...(tool.description === "" ? [] : [safeText(tool.description)]),
    "",
    `Path     ${registryPath(tool.slug)}`,
    `Id       ${safeLine(tool.id)}`,
    `Type     ${safeLine(tool.implementationType)}`,
    `Status   ${statusText(tool)}: ${standText(tool)}`,
    `Version  ${safeLine(tool.version)}`,
    ...(tool.artifactId === null
      ? []
      : [`Artifact ${safeLine(tool.artifactId)}${tool.artifactVersion === null ? "" : ` version ${safeLine(tool.artifactVersion)}`}`]),
    ...(tool.replacedBy === null ? [] : [`Instead  ${registryPath(tool.replacedBy)}`]),
    `Made by  ${safeLine(tool.createdBy)}, changed ${shortTime(tool.updatedAt)}`,
    ...block("Input", schema.input),
    ...(schema.output === undefined ? [] : block("Output", schema.output)),
    ...(Object.keys(implementation).length === 0 ? [] : block("Implementation", implementation)),
    ...(typeof code === "string" ? ["", bold("Code"), indented(safeText(code.trimEnd()))] : []),
    ...(Object.keys(configSchema.execution).length === 0 ? [] : block("Execution", configSchema.execution)),
  ].join("\n")
}

const indented = (text: string): string => text.replaceAll(/^/gm, "  ")
