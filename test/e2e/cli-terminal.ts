// Runs the command line at a real terminal: a pseudo-terminal that `script` or Python opens.
import { spawn, spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"

const has = (command: string): boolean => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0
const opener = has("script") ? "script" : has("python3") ? "python3" : null

/** Whether this machine has something that opens a terminal. */
export const hasTerminal = opener !== null

export type Terminal = {
  /** Everything that was shown so far, without what only colours or moves. */
  shown(): string
  /** Resolves when this has been shown, behind what was waited for before. */
  until(text: string): Promise<void>
  type(keys: string): void
  readonly ended: Promise<number | null>
}

export type TerminalOptions = { readonly columns?: number; readonly env?: Readonly<Record<string, string>> }

/** `dataDir`: the one that `openCli` was given. */
export function openTerminal(dataDir: string, args: readonly string[], { columns = 80, env = {} }: TerminalOptions = {}): Terminal {
  const words = [process.execPath, join(dataDir, "bin", "main.mjs"), ...args]
  // A new terminal has no size.
  const sized = `stty cols ${columns} rows 24; exec ${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")}`
  const command =
    opener === "script"
      ? ["script", "-qefc", sized, "/dev/null"]
      : ["python3", "-c", "import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))", "sh", "-c", sized]
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"], HOME: dataDir, EXECUTOR_DATA_DIR: dataDir, TERM: "xterm", NO_COLOR: "1", SHELL: "/bin/sh", ...env },
  })
  let text = ""
  let seen = 0
  let wake = (): void => {}
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += plain(chunk)
    wake()
  })
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  void ended.then(() => wake())
  return {
    shown: () => text,
    type: (keys) => void child.stdin.write(keys),
    async until(part) {
      for (let at = text.indexOf(part, seen); ; at = text.indexOf(part, seen)) {
        if (at >= 0) return void (seen = at + part.length)
        if (child.exitCode !== null) throw new Error(`It ended without '${part}':\n${text}`)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    ended,
  }
}

const plain = (text: string): string => stripVTControlCharacters(text).replaceAll("\r", "")
