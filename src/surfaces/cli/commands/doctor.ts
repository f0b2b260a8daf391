// `executor doctor`: looks at everything that could be wrong, and says what to do.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { act } from "../command-action.ts"
import type { Colors } from "../print/colors.ts"
import { checkCatalog } from "../doctor/check-catalog.ts"
import { checkMachine } from "../doctor/check-machine.ts"
import { checkServer } from "../doctor/check-server.ts"
import { checkShell } from "../doctor/check-shell.ts"
import type { Check } from "../doctor/check.ts"
import { exitCodes } from "../exit-code.ts"
import { openExecutor } from "../server/open-executor.ts"
import { withProgress } from "../print/progress.ts"

export function configure(command: Command): void {
  command
    .description(
      "Check Node.js, the data directory, the sandbox of commands, the server, the token and every connection, and suggest fixes. Exits with code 1 if a check fails.",
    )
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} doctor\n`)
  act<[], object>(command, async (_args, _options, context) => {
    const { env } = process
    const checks = await withProgress("Looking", context.screen, async () => {
      const machine = checkMachine(env)
      const server = await checkServer(env)
      const canOpen = [...machine, ...server].every((check) => check.status !== "problem" || check.name === "token" || check.name === "key")
      return [...machine, ...(await checkShell()), ...server, ...(canOpen ? await checkCatalog(() => openExecutor(env)) : [])]
    })
    const isWell = checks.every((check) => check.status !== "problem")
    context.print({ ok: isWell, checks }, () => checks.map((check) => checkText(check, context.screen.out)).join("\n"))
    return isWell ? exitCodes.done : exitCodes.failed
  })
}

function checkText(check: Check, { green, yellow, red, bold }: Colors): string {
  switch (check.status) {
    case "ok":
      return `${green("✓")} ${bold(check.name)}: ${check.message}`
    case "warning":
      return `${yellow("!")} ${bold(check.name)}: ${check.message}\n    ${check.fix}`
    case "problem":
      return `${red("✗")} ${bold(check.name)}: ${check.message}\n    ${check.fix}`
  }
}
