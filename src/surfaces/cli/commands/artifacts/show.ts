// `executor artifacts show`: shows one artifact with its code.
import type { Command } from "commander"
import { safeLine, safeText } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { findArtifact } from "../../registry/find.ts"

export function configure(command: Command): void {
  command
    .argument("<artifact>", `The slug or id, as shown by ${executorCommand} artifacts list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} artifacts show slugify\n`)
  actWithExecutor<[string], object>(command, async ([word], _options, context) => {
    const artifact = await findArtifact(word, context.api)
    const { bold } = context.screen.out
    context.print(artifact, () =>
      [
        `${bold(safeLine(artifact.slug))}  ${safeLine(artifact.name)}`,
        "",
        `Id       ${safeLine(artifact.id)}`,
        `Version  ${safeLine(artifact.version)}`,
        "",
        bold("Inputs"),
        ...(artifact.inputs.length === 0 ? ["  none"] : artifact.inputs.map(inputText)),
        "",
        bold("Code"),
        safeText(artifact.code.trimEnd()).replaceAll(/^/gm, "  "),
      ].join("\n"),
    )
  })
}

const inputText = ({
  name,
  type,
  required,
  default: fallback,
}: {
  name: string
  type: string
  required: boolean
  default?: unknown
}): string =>
  `  ${safeLine(name)}: ${safeLine(type)}${required ? ", required" : ""}${fallback === undefined ? "" : `, by default ${safeLine(JSON.stringify(fallback))}`}`
