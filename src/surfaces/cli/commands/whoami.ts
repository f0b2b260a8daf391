// `executor whoami`: shows who acts, with roles and rights and where they come from.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../core/text/safe.ts"
import { actWithExecutor } from "../command-action.ts"

export function configure(command: Command): void {
  command.addHelpText("after", `\nExample:\n  $ ${executorCommand} whoami\n`)
  actWithExecutor<[], object>(command, async (_args, _options, context) => {
    const me = await context.api.me()
    context.print(me, () =>
      [
        `${me.id} (${me.name}), ${me.kind} in ${me.tenant}`,
        `roles: ${me.roles.map(({ role, from }) => `${role} (${from})`).join(", ") || "none"}`,
        `rights: ${me.rights.map(({ right, from }) => `${right} (from ${from.join(", ")})`).join(", ") || "none"}`,
        ...(me.token?.patterns == null ? [] : [`token: ${me.token.name} (${me.token.id}), only ${me.token.patterns.join(", ")}`]),
      ]
        .map(safeLine)
        .join("\n"),
    )
  })
}
