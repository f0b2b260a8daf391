// `executor artifacts edit`: changes an artifact, as a new version.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { inCommands } from "../../registry/act.ts"
import { addArtifactOptions, parseArtifactInput } from "../../registry/artifact-options.ts"
import type { ArtifactOptions } from "../../registry/artifact-options.ts"
import { readCode } from "../../registry/config-read.ts"
import { findArtifact } from "../../registry/find.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  command
    .description("Change an artifact. Every change is a new version; published tools keep the version that they were published with.")
    .argument("<artifact>", `The slug or id, as shown by ${executorCommand} artifacts list.`)
  addArtifactOptions(command).addHelpText("after", `\nExample:\n  $ ${executorCommand} artifacts edit slugify --code @slugify.ts\n`)
  actWithExecutor<[string], ArtifactOptions>(command, async ([word], { name, code, input }, context) => {
    if (name === undefined && code === undefined && input === undefined)
      throw new UsageError("Nothing to change: give --name, --code or --input")
    const before = await findArtifact(word, context.api)
    const change = omitUndefined({
      name,
      code: code === undefined ? undefined : await readCode(code),
      inputs: input?.map(parseArtifactInput),
    })
    const artifact = await inCommands(() => context.api.artifacts.update(before.id, change))
    context.print(artifact, () => `Changed ${safeLine(artifact.slug)}: version ${safeLine(artifact.version)}`)
    if (!context.printsJson && artifact.version !== before.version)
      context.screen.note(
        `Tools keep the version that they were published with. To use this one in a tool, run: ${executorCommand} registry edit <tool> --artifact-version latest, then publish it`,
      )
  })
}
