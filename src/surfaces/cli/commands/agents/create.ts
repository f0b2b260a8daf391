// `executor agents create`: makes an agent, as a draft.
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
    .description("Make an agent: instructions, a model and tools. It is a draft until you publish it.")
    .argument("<slug>", "Its name in paths, e.g. support.")
  addAgentOptions(command).addHelpText(
    "after",
    `\nExample:\n  $ ${executorCommand} agents create support --model openai/gpt-5 --tools 'shop.orders.*' --instructions "Answer customers."\n`,
  )
  actWithExecutor<[string], AgentOptions>(command, async ([slug], options, context) => {
    const { instructions, model, name = slug, ...rest } = await readAgentOptions(options, undefined)
    if (instructions === undefined || model === undefined)
      throw new UsageError("An agent needs --instructions (or --instructions-file) and --model")
    const agent = await inCommands(() => context.api.agents.create({ ...rest, slug, name, instructions, model }))
    if (agent.warning !== undefined) context.screen.note(safeLine(agent.warning))
    const next = safeLine(agent.slug)
    context.print(
      agent,
      () => `Made ${next}. Try it with ${executorCommand} agents run ${next} --debug "…", then ${executorCommand} agents publish ${next}`,
    )
  })
}
