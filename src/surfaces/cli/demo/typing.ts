// Types commands for the audience: shows each one, and runs it as if somebody had typed it.
import { executorCommand } from "../../../io/executor-command.ts"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { drainInput } from "../prompt/input-drain.ts"
import { exitCodes } from "../exit-code.ts"
import { main } from "../main.ts"
import type { Screen } from "../print/screen.ts"

export type Typing = {
  /** A heading, and what it is about. */
  step(title: string, text: string): Promise<void>
  say(text: string): void
  /** A file that a later command names. */
  write(name: string, code: string): void
  /** Runs a command of the command line as the human, and answers its exit code. */
  asHuman(...words: string[]): Promise<number>
  /** The same with an agent's token. */
  asAgent(...words: string[]): Promise<number>
}

export type Cast = {
  readonly dataDir: string
  readonly agentToken: string
  /** Whether somebody reads along, and goes on when they have. */
  readonly waitsForEnter: boolean
}

export function openTyping(screen: Screen, cast: Cast): Typing {
  const { bold, cyan, dim } = screen.out
  const files = new Set<string>()
  let steps = 0
  const run = async (who: string, words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> => {
    screen.data(`\n${dim(`${who} $`)} ${cyan(`${executorCommand} ${words.map(quote).join(" ")}`)}`)
    const argv = words.map((word) => (files.has(word) ? join(cast.dataDir, word) : word))
    Object.assign(process.env, env)
    process.exitCode = 0
    try {
      await main(argv)
      const code = process.exitCode
      if (code !== 0) screen.data(dim(`(exit code ${code}${meanings.get(code) ?? ""})`))
      return code
    } finally {
      for (const name of Object.keys(env)) delete process.env[name]
      process.exitCode = 0
    }
  }
  return {
    async step(title, text) {
      if (steps > 0 && cast.waitsForEnter) await waitForEnter(screen)
      steps += 1
      screen.data(`\n${bold(`${steps}. ${title}`)}\n${text}`)
    },
    say: (text) => screen.data(`\n${text}`),
    write(name, code) {
      writeFileSync(join(cast.dataDir, name), code)
      files.add(name)
      screen.data(`\n${dim(`${name}:`)}\n${code.replaceAll(/^/gm, "    ")}`)
    },
    asHuman: (...words) => run("you", words, {}),
    asAgent: (...words) => run("agent", words, { EXECUTOR_TOKEN: cast.agentToken }),
  }
}

async function waitForEnter(screen: Screen): Promise<void> {
  screen.note(screen.err.dim("\nPress Enter to continue."))
  const { stdin } = process
  await drainInput(stdin)
  await new Promise((resolve) => stdin.once("data", resolve).once("end", resolve).resume())
  // Otherwise it would keep the process alive.
  stdin.pause()
}

const meanings: ReadonlyMap<number, string> = new Map([
  [exitCodes.paused, ": waiting for a human"],
  [exitCodes.denied, ": denied"],
])

const quote = (word: string): string => (/^[\w./:@=-]+$/.test(word) ? word : `'${word}'`)
