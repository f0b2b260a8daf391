// `executor registry publish`: makes the working copy of a tool what production runs.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import type { RegistryToolView } from "../../../../core/registry/tool.ts"
import { callHint, registryPath } from "../../registry/text.ts"

type PublishOptions = { readonly reason?: string }

export function configure(command: Command): void {
  toolArgument(command)
    .description("Check the whole working copy and make it what production runs, under a new version. Agents then find and call it.")
    .option("--reason <text>", "Why, for the list of versions.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} registry publish show_order\n  $ ${executorCommand} registry publish show_order --reason "Also shows the product"\n`,
    )
  actOnTool<[], PublishOptions>(command, async (before, _rest, { reason }, context) => {
    const tool = await context.api.registry.publish(before.id, omitUndefined({ reason }))
    const isSame = before.status === tool.status && before.publishedVersion === tool.publishedVersion
    context.print(tool, () =>
      isSame
        ? `Nothing new to publish: version ${safeLine(tool.publishedVersion ?? "")} of ${registryPath(tool.slug)} is the same`
        : `Published ${registryPath(tool.slug)}, version ${safeLine(tool.publishedVersion ?? "")}`,
    )
    if (context.printsJson) return
    const newer = await newerArtifact(tool, context)
    if (newer !== null) context.screen.note(newer)
    context.screen.note(callHint(tool))
  })
}

/** A tool keeps the version of its artifact until somebody says otherwise. */
async function newerArtifact(
  { slug, artifactId, artifactVersion }: RegistryToolView,
  { api }: ExecutorCommandContext,
): Promise<string | null> {
  if (artifactId === null || artifactVersion === null) return null
  const artifact = await api.artifacts.get(artifactId)
  if (artifact.version === artifactVersion) return null
  const name = safeLine(artifact.slug)
  return `It runs version ${safeLine(artifactVersion)} of ${name}, which has a version ${safeLine(artifact.version)} now. To use that: ${executorCommand} registry edit ${safeLine(slug)} --artifact-version latest, then publish it`
}
