// `executor agents show`: shows one agent: how it stands, what it is told, what it may use.
import type { Command } from "commander"
import type { AgentView } from "../../../../core/agents/agent.ts"
import { safeJson, safeLine, safeText } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { shortTime } from "../../print/page.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  command
    .argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} agents show support\n  $ ${executorCommand} agents show support --json > agent.json\n`,
    )
  actWithExecutor<[string], object>(command, async ([ref], _options, context) => {
    const agent = await inCommands(() => context.api.agents.get(ref))
    context.print(agent, () => agentText(agent))
  })
}

const agentText = (agent: AgentView): string =>
  [
    `${safeLine(agent.slug)}  ${safeLine(agent.name)}`,
    ...(agent.description === "" ? [] : [safeText(agent.description)]),
    "",
    `Id       ${safeLine(agent.id)}`,
    `Path     agents.${safeLine(agent.slug)}`,
    `Status   ${agent.status}${agent.hasUnpublishedChanges ? ", with changes that are not published" : ""}`,
    `Version  ${agent.publishedVersion ?? "none is published"}`,
    `Model    ${safeLine(`${agent.model.provider}/${agent.model.name}`)}${agent.model.options === undefined ? "" : ` ${safeJson(agent.model.options)}`}`,
    `Tools    ${safeLine(agent.tools.join(", ")) || "none"} (${agent.executionMode})`,
    `Made by  ${safeLine(agent.createdBy)}, changed ${shortTime(agent.updatedAt)}`,
    ...(Object.keys(agent.limits).length === 0 ? [] : [`Limits   ${safeJson(agent.limits)}`]),
    "",
    safeText(agent.instructions.trimEnd()),
  ].join("\n")
