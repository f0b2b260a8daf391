// `executor artifacts create`: adds code that tools can be made of.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { inCommands } from "../../registry/act.ts"
import { addArtifactOptions, parseArtifactInput } from "../../registry/artifact-options.ts"
import type { ArtifactOptions } from "../../registry/artifact-options.ts"
import { readCode } from "../../registry/config-read.ts"
import { UsageError } from "../../usage-error.ts"

type CreateOptions = ArtifactOptions & { readonly slug?: string }

export function configure(command: Command): void {
  command.description("Add code for tools of the type artifact. It runs in the sandbox with `input` and without `tools`.")
  addArtifactOptions(command)
    .option("--slug <slug>", "The name in commands; by default made of --name.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} artifacts create --name Slugify --input title:string:required --code @slugify.ts\n  $ ${executorCommand} artifacts create --name Add --input a:number:required --input b:number=1 --code 'return input.a + input.b'\n`,
    )
  actWithExecutor<[], CreateOptions>(command, async (_args, { name, slug, code, input }, context) => {
    if (name === undefined || code === undefined)
      throw new UsageError("An artifact needs --name and --code, e.g. --name Slugify --code @slugify.ts")
    const inputs = input?.map(parseArtifactInput)
    const text = await readCode(code)
    const artifact = await inCommands(() => context.api.artifacts.create({ name, code: text, ...omitUndefined({ slug, inputs }) }))
    context.print(artifact, () => `Created ${safeLine(artifact.slug)}, version ${safeLine(artifact.version)}`)
    if (!context.printsJson)
      context.screen.note(
        `Make a tool of it: ${executorCommand} registry create --artifact ${safeLine(artifact.slug)} --name … --description …`,
      )
  })
}
