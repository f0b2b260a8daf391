// `executor registry publish`: makes the working copy of a tool what production runs.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import type { DefinitionChange } from "../../../../core/registry/diff.ts"
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
    const breaking = context.printsJson ? [] : await breakingChanges(before, context)
    const tool = await context.api.registry.publish(before.id, omitUndefined({ reason }))
    const isSame = before.status === tool.status && before.publishedVersion === tool.publishedVersion
    context.print(tool, () =>
      isSame
        ? `Nothing new to publish: version ${safeLine(tool.publishedVersion ?? "")} of ${registryPath(tool.slug)} is the same`
        : `Published ${registryPath(tool.slug)}, version ${safeLine(tool.publishedVersion ?? "")}`,
    )
    if (context.printsJson) return
    if (breaking.length > 0) context.screen.note(breakingText(before, breaking, context))
    const newer = await newerArtifact(tool, context)
    if (newer !== null) context.screen.note(newer)
    context.screen.note(callHint(tool))
  })
}

/** What was right to call before, and may not be now. */
async function breakingChanges(
  { id, publishedVersion, hasUnpublishedChanges }: RegistryToolView,
  { api }: ExecutorCommandContext,
): Promise<readonly DefinitionChange[]> {
  if (publishedVersion === null || !hasUnpublishedChanges) return []
  return (await api.registry.diff(id, {})).changes.filter(({ kind }) => kind === "breaking")
}

const changesShown = 5

function breakingText(
  { slug, publishedVersion }: RegistryToolView,
  changes: readonly DefinitionChange[],
  { screen }: ExecutorCommandContext,
): string {
  const lines = changes.slice(0, changesShown).map(({ path, message }) => `  ${safeLine(path)}: ${safeLine(message)}`)
  const more = changes.length - lines.length
  return [
    `${screen.err.yellow("warning:")} this breaks calls that were right for version ${safeLine(publishedVersion ?? "")}:`,
    ...lines,
    ...(more === 0 ? [] : [`  and ${more} more: ${executorCommand} registry diff ${safeLine(slug)}`]),
    `To go back: ${executorCommand} registry rollback ${safeLine(slug)} ${safeLine(publishedVersion ?? "")}`,
  ].join("\n")
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
