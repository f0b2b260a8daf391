// Reads the arguments of `shell`, from a function call or from the shell tool that some models bring along.
import { readArguments } from "../call-arguments.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { CommandLimits } from "../shell-sandbox/command-limits.ts"
import type { SandboxPermissions, ToolPayload } from "../tool.ts"

export type ShellArguments = {
  readonly command: readonly string[]
  readonly workdir?: string
  readonly timeoutMs: number
  readonly sandboxPermissions: SandboxPermissions
  /** Why it needs more than the sandbox allows, for the human who is asked. */
  readonly justification?: string
}

export function readShellArguments(payload: ToolPayload, limits: CommandLimits): ShellArguments {
  const { command, workdir, timeoutMs, sandboxPermissions, justification } = rawArguments(payload)
  return {
    command: checkCommand(command, limits),
    timeoutMs: checkTimeout(timeoutMs, limits),
    sandboxPermissions: checkPermissions(sandboxPermissions),
    ...(isText(workdir, "workdir") ? { workdir } : {}),
    ...(isText(justification, "justification") ? { justification } : {}),
  }
}

type Raw = Readonly<Record<"command" | "workdir" | "timeoutMs" | "sandboxPermissions" | "justification", unknown>>

function rawArguments(payload: ToolPayload): Raw {
  if (payload.type === "local_shell")
    return { workdir: undefined, timeoutMs: undefined, sandboxPermissions: undefined, justification: undefined, ...payload.params }
  if (payload.type !== "function") throw FunctionCallError.fatal("tool shell invoked with incompatible payload")
  const args = readArguments(payload.arguments)
  return {
    command: args["command"],
    workdir: args["workdir"],
    // Earlier versions of Codex called it so, and models remember.
    timeoutMs: args["timeout_ms"] ?? args["timeout"],
    sandboxPermissions: args["sandbox_permissions"],
    justification: args["justification"],
  }
}

function checkCommand(command: unknown, { commandCharsMax }: CommandLimits): readonly string[] {
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string"))
    throw wrong(`command must be an array of strings, e.g. ["bash", "-lc", "ls"]`)
  const [program] = command
  if (program === undefined || program.trim() === "") throw wrong("command must name a program")
  if (command.some((word) => word.includes("\0"))) throw wrong("command cannot contain a NUL character")
  if (command.reduce((sum, word) => sum + word.length, 0) > commandCharsMax)
    throw wrong(`command has more than ${commandCharsMax} characters. Write the script to a file and run that`)
  return command
}

/** Zero and null mean the default, as models use them. */
function checkTimeout(timeoutMs: unknown, limits: CommandLimits): number {
  if (timeoutMs === undefined || timeoutMs === null || timeoutMs === 0) return limits.timeoutMs
  if (typeof timeoutMs !== "number" || !Number.isFinite(timeoutMs) || timeoutMs < 0)
    throw wrong("timeout_ms must be a number of milliseconds")
  return Math.min(Math.ceil(timeoutMs), limits.timeoutMsMax)
}

function checkPermissions(value: unknown): SandboxPermissions {
  if (value === undefined || value === null || value === "use_default") return "use_default"
  if (value === "require_escalated") return "require_escalated"
  throw wrong("sandbox_permissions must be use_default or require_escalated")
}

function isText(value: unknown, name: string): value is string {
  if (value === undefined || value === null || value === "") return false
  if (typeof value !== "string") throw wrong(`${name} must be a string`)
  return true
}

const wrong = (text: string): FunctionCallError => FunctionCallError.respondToModel(`failed to parse function arguments: ${text}`)
