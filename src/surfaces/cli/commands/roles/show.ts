// `executor roles show`: shows one role, with its patterns and rights one below the other.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command
    .argument("<id>", `The role, as shown by ${executorCommand} roles list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} roles show developer\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, context) => {
    const role = await context.api.roles.get(id)
    const { bold } = context.screen.out
    const section = (title: string, lines: readonly string[]): string[] => [
      "",
      bold(title),
      ...(lines.length === 0 ? ["  none"] : lines.map((line) => `  ${safeLine(line)}`)),
    ]
    context.print(role, () =>
      [
        `${bold(safeLine(role.id))}  ${safeLine(role.name)}`,
        ...(role.description === "" ? [] : [safeLine(role.description)]),
        ...section("Patterns", role.patterns),
        ...section("Rights", role.rights),
      ].join("\n"),
    )
  })
}
