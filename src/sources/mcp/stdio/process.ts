// Starts the program of a stdio server so that it never outlives us, however it behaves and however we end.
//
// Between us and the program stands a shell that leads a process group of its own. The program has our pipes directly;
// the shell has only a fourth one. When that closes because we are gone, also by kill -9, the shell's watch gives the
// program a moment, as the end of its input has told it to stop, and then ends the whole group. When the program ends
// first, the shell says with which code, and ends what the program left in the group. It ignores SIGTERM, so that it
// lives to do so.
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { accessSync, constants, statSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import type { Readable, Writable } from "node:stream"
import { ExecutorError } from "../../../core/errors.ts"
import type { StdioConfig } from "../config.ts"
import { endGroup, signalGroup } from "./process-group.ts"

export type StdioProcess = {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** How it ended, as a sentence. Known as soon as the program is gone, whoever still holds its pipes. */
  readonly ended: Promise<string>
  /** Ends the whole group: by the end of its input, then by SIGTERM, then by SIGKILL. Then nobody of it is left. */
  stop(): Promise<void>
}

/** What a program may know of where it runs, besides what its config says. */
const inheritedVariables = ["PATH", "HOME", "USER", "LANG", "TMPDIR"]
const graceMs = 2000

/** What runs in the background of a shell has no input unless that is kept under another number. */
const supervisor = `
trap '' TERM INT HUP PIPE
exec 4<&0
(trap - TERM INT HUP PIPE; exec "$@" <&4 3<&- 4<&-) &
program=$!
exec 4<&-
(exec </dev/null >/dev/null 2>&1; read -r nothing <&3; sleep 2; kill -s TERM 0; sleep 2; kill -s KILL 0) &
watch=$!
exec </dev/null >/dev/null 2>&1
wait "$program"
code=$?
kill -s KILL "$watch"
wait "$watch"
echo "$code" >&3
kill -s KILL 0
`

/** Throws an `ExecutorError` that says what is missing. */
export function startStdioProcess(config: StdioConfig): StdioProcess {
  const env = environmentOf(config)
  const cwd = workingDirectory(config)
  const command = findCommand(config.command, env["PATH"] ?? "", cwd)
  const shell = spawn("/bin/sh", ["-c", supervisor, "executor-stdio", command, ...config.args], {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  })
  const { pid, stdin, stdout, stderr } = shell
  if (pid === undefined || stdin === null || stdout === null || stderr === null)
    throw new ExecutorError("upstream_unreachable", `The command '${config.command}' could not be started`)
  for (const pipe of shell.stdio) pipe?.on("error", () => {})
  const ended = endOf(shell, config.command)
  const gone = ended.then(async () => {
    shell.stdio[3]?.destroy()
    await endGroup(pid)
  })
  const stop = async (): Promise<void> => {
    await askToStop(pid, stdin, ended)
    await gone
  }
  return { pid, stdin, stdout, stderr, ended, stop }
}

function endOf(shell: ChildProcess, command: string): Promise<string> {
  let told = ""
  shell.stdio[3]?.on("data", (chunk: Buffer) => void (told += chunk.toString()))
  return new Promise((settle) => {
    shell.once("error", (error) => settle(`The command '${command}' could not be started: ${error.message}`))
    // What the shell said is there by the time that its end is known, but may be delivered a moment later.
    shell.once("exit", () => setImmediate(() => settle(describeEnd(command, told.trim()))))
  })
}

/** A shell tells of a signal by a code above 128; it says nothing where the whole group was killed. */
function describeEnd(command: string, told: string): string {
  const code = Number(told)
  if (told === "") return `'${command}' was killed`
  return code > 128 ? `'${command}' was ended by signal ${code - 128}` : `'${command}' ended with exit code ${code}`
}

async function askToStop(pid: number, stdin: Writable, ended: Promise<string>): Promise<void> {
  const isOver = (): Promise<boolean> => {
    const { promise, resolve: settle } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => settle(false), graceMs)
    void ended.then(() => {
      clearTimeout(timer)
      settle(true)
    })
    return promise
  }
  stdin.end()
  if (await isOver()) return
  signalGroup(pid, "SIGTERM")
  if (await isOver()) return
  signalGroup(pid, "SIGKILL")
}

function environmentOf(config: StdioConfig): Record<string, string> {
  const inherited = inheritedVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return { ...Object.fromEntries(inherited), ...config.env }
}

function workingDirectory(config: StdioConfig): string {
  const cwd = config.cwd ?? homedir()
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ExecutorError("upstream_unreachable", `The working directory ${cwd} of '${config.command}' does not exist`)
  return cwd
}

/** The shell would only print that it found nothing; whoever reads the error should know what and where. */
function findCommand(command: string, path: string, cwd: string): string {
  const places = command.includes("/") ? [resolve(cwd, command)] : path.split(delimiter).map((folder) => join(folder || ".", command))
  const found = places.find(isExecutable)
  if (found !== undefined) return found
  const where = command.includes("/") ? `at ${places[0] ?? command}` : "in any folder of PATH"
  throw new ExecutorError(
    "upstream_unreachable",
    `The command '${command}' was not found ${where}: install it on the machine that runs Executor, or use its full path`,
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
