// Runs one planned command: collects its output, keeps it within time and limits, and leaves no process behind.
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import type { Readable } from "node:stream"
import { safeLine } from "../../core/text/safe.ts"
import type { CommandLimits } from "./command-limits.ts"
import { coverLeaked } from "./leaked-descriptors.ts"
import { OutputCapture } from "./output-capture.ts"
import { watchResources } from "./resource-watch.ts"
import type { SandboxDriver, ConfinedCommand, SpawnPlan } from "./shell-sandbox.ts"

export type CommandResult = {
  readonly end:
    | { readonly kind: "exited"; readonly exitCode: number }
    | { readonly kind: "timed_out"; readonly timeoutMs: number }
    | { readonly kind: "cancelled" }
    /** It used more than it may. */
    | { readonly kind: "exceeded"; readonly reason: string }
    /** It was never started. */
    | { readonly kind: "not_started"; readonly reason: string }
  /** What it wrote, standard output and errors in the order in which they came. */
  readonly output: string
  readonly durationMs: number
}

type Stop = Exclude<CommandResult["end"], { kind: "exited" }>

/** How long a program has to end its command by itself before it is ended from here. */
const endGraceMs = 5_000

export async function runCommand(
  driver: SandboxDriver,
  command: ConfinedCommand,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<CommandResult> {
  const startedAt = performance.now()
  const output = new OutputCapture(command.limits.outputBytesMax)
  const plan = driver.plan(command)
  try {
    const end = signal.aborted ? ({ kind: "cancelled" } as const) : await runPlan(plan, command, { timeoutMs, signal, output })
    return { end, output: output.text(), durationMs: performance.now() - startedAt }
  } finally {
    plan.dispose()
  }
}

async function runPlan(
  plan: SpawnPlan,
  { workspace, limits }: { readonly workspace: string; readonly limits: CommandLimits },
  { timeoutMs, signal, output }: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly output: OutputCapture },
): Promise<CommandResult["end"]> {
  const child = start(plan)
  const status = readStatus(child)
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.add(chunk))

  let stop: Stop | null = null
  const endWith = (reason: Stop): void => {
    if (stop !== null) return
    stop = reason
    endChild(child, plan)
  }
  const timer = setTimeout(() => endWith({ kind: "timed_out", timeoutMs }), timeoutMs)
  const cancel = (): void => endWith({ kind: "cancelled" })
  signal.addEventListener("abort", cancel, { once: true })
  const unwatch = watchResources(child.pid, { workspace, tmp: plan.tmp, limits }, (reason) => endWith({ kind: "exceeded", reason }))
  try {
    const exit = await exitOf(child, plan)
    if (stop !== null) return stop
    if (exit.kind === "failed") return { kind: "not_started", reason: exit.reason }
    return status.end(exit.code)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", cancel)
    unwatch()
  }
}

/** `detached`: a group of its own, so that a signal of this terminal does not reach the command. */
function start(plan: SpawnPlan): ChildProcess {
  return spawn(plan.file, [...plan.args], {
    cwd: plan.cwd,
    env: { ...plan.env },
    detached: true,
    stdio: coverLeaked(["ignore", "pipe", "pipe", "pipe", ...plan.descriptors]),
  })
}

type Exit = { readonly kind: "exited"; readonly code: number } | { readonly kind: "failed"; readonly reason: string }

/** Once the program has ended, whatever it left behind is ended too; otherwise it would keep the output open. */
function exitOf(child: ChildProcess, plan: SpawnPlan): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => resolve({ kind: "failed", reason: spawnProblem(error, plan) }))
    child.once("exit", () => {
      if (child.pid !== undefined) plan.endLeftovers?.(child.pid)
    })
    child.once("close", (code, signal) => resolve({ kind: "exited", code: code ?? 128 + (signal === "SIGKILL" ? 9 : 15) }))
  })
}

function spawnProblem(error: NodeJS.ErrnoException, plan: SpawnPlan): string {
  if (error.code === "ENOENT" || error.code === "EACCES") return `there is no program '${safeLine(plan.file)}' that can be run here`
  if (error.code === "E2BIG") return "the command is too long"
  return error.message
}

/** Closing the descriptor tells a launcher to end everything. Others are ended from here, as is one that takes too long. */
function endChild(child: ChildProcess, plan: SpawnPlan): void {
  const { pid } = child
  if (pid === undefined) return
  statusStream(child)?.destroy()
  if (!plan.endsByItself) return plan.endTree(pid)
  const timer = setTimeout(() => plan.endTree(pid), endGraceMs)
  child.once("exit", () => clearTimeout(timer))
}

// The fourth of `stdio`, which is a pipe that can be read.
const statusStream = (child: ChildProcess): Readable | null => (child.stdio[3] ?? null) as Readable | null

const statusCharsMax = 64 * 1024

function readStatus(child: ChildProcess): { readonly end: (code: number) => CommandResult["end"] } {
  let text = ""
  const stream = statusStream(child)
  stream?.setEncoding("utf8")
  stream?.on("data", (chunk: string) => {
    if (text.length < statusCharsMax) text += chunk
  })
  stream?.on("error", () => {})
  return { end: (code) => endFrom(text, code) }
}

/** Without a status, the program had none to give, or failed before the command began. */
export function endFrom(status: string, code: number): CommandResult["end"] {
  if (status === "") return { kind: "exited", exitCode: code }
  for (const line of status.split("\n")) {
    // Written by bubblewrap or by the launcher: objects of texts and numbers.
    const said = line.trim() === "" ? {} : (JSON.parse(line) as Readonly<Record<string, unknown>>)
    if (typeof said["exit-code"] === "number") return { kind: "exited", exitCode: said["exit-code"] }
    if (typeof said["error"] === "string") return { kind: "not_started", reason: said["error"] }
  }
  return { kind: "not_started", reason: `the sandbox ended with code ${code} before the command began` }
}
