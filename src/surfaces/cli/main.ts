// The command line: finds the command that is meant, runs it, and turns every way of failing into a message with an exit code.
import { CommanderError } from "commander"
import type { Command } from "commander"
import { printCommanderError, printError } from "./print/error.ts"
import { exitCodeOf, exitCodes } from "./exit-code.ts"
import { buildProgram } from "./program.ts"
import { openScreen } from "./print/screen.ts"

export async function main(argv: readonly string[]): Promise<void> {
  // Before anything is written: whoever reads the help, too, may have seen enough.
  const screen = openScreen()
  const program = await buildProgram(argv.filter((word) => !word.startsWith("-")))
  if (argv.length === 0) return program.outputHelp()
  try {
    await program.parseAsync(withoutHelp(argv, program), { from: "user" })
  } catch (error) {
    // Asking for help is no mistake.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return void (process.exitCode = exitCodes.done)
      printCommanderError(error, argv.includes("--json"), screen)
      process.exitCode = exitCodes.usage
      return
    }
    printError(error, argv.includes("--json"), screen)
    process.exitCode = exitCodeOf(error)
  }
}

/** A command that does not exist has no help, and the general one would not say so. */
function withoutHelp(argv: readonly string[], program: Command): readonly string[] {
  const [name = ""] = argv
  const isKnown =
    name.startsWith("-") || name === "help" || program.commands.some((one) => one.name() === name || one.aliases().includes(name))
  return isKnown ? argv : argv.filter((word) => word !== "--help" && word !== "-h")
}
