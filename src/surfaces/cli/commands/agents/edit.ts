// `executor agents edit`: changes the working copy of an agent.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { addAgentOptions, readAgentOptions } from "../../agents/agent-options.ts"
import type { AgentOptions } from "../../agents/agent-options.ts"
import { actWithExecutor } from "../../command-action.ts"
import { inCommands } from "../../registry/act.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  command
    .description("Change the working copy of an agent. What is published stays until you publish again.")
    .argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
  addAgentOptions(command).addHelpText(
    "after",
    `\nExamples:\n  $ ${executorCommand} agents edit support --tools 'shop.*'\n  $ ${executorCommand} agents edit support --limits steps=20 --model-options maxOutputTokens=4000\n`,
  )
  actWithExecutor<[string], AgentOptions>(command, async ([ref], options, context) => {
    const isModelChanged = options.model !== undefined || options.modelOptions !== undefined
    const before = isModelChanged ? await inCommands(() => context.api.agents.get(ref)) : undefined
    const change = await readAgentOptions(options, before?.model)
    if (Object.keys(change).length === 0) throw new UsageError("Nothing to change: give --instructions, --model, --tools or another option")
    const agent = await inCommands(() => context.api.agents.update(ref, change))
    if (agent.warning !== undefined) context.screen.note(safeLine(agent.warning))
    context.print(agent, () => `Changed ${safeLine(agent.slug)}. Publish it with ${executorCommand} agents publish ${safeLine(agent.slug)}`)
  })
}
