// The local tools of a folder, answered in this process by the handlers that agents of one's own use, too.
import type { ToolCallRuntime } from "../../../agent-tools/runtime.ts"
import type { ResponseInputItem } from "../../../agent-tools/response-item.ts"
import type { ToolSpec } from "../../../agent-tools/tool.ts"
import { isRecord } from "../../../core/json/record.ts"
import { localToolNames } from "../../../core/workspaces/workspace.ts"
import type {
  LocalToolName,
  LocalToolOffer,
  ShellMode,
  WorkspaceAnswer,
  WorkspaceCall,
  WorkspaceOffer,
} from "../../../core/workspaces/workspace.ts"
import { UsageError } from "../usage-error.ts"

export type LocalTools = {
  readonly offer: WorkspaceOffer
  answer(call: WorkspaceCall, signal: AbortSignal): Promise<WorkspaceAnswer>
}

/** `warn` gets what the folder lacks, such as a sandbox for its shell. */
export async function openLocalTools(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): Promise<LocalTools> {
  const { ToolRouter } = await import("../../../agent-tools/router.ts")
  const { ToolCallRuntime } = await import("../../../agent-tools/runtime.ts")
  const shell = readShellMode(env)
  const router = openRouter(() =>
    // Who leaves the sandbox is decided by whoever starts this command, not by a call.
    ToolRouter.fromConfig({
      workspace: folder,
      applyPatch: "function",
      shell,
      approvalPolicy: shell === "sandboxed" ? "never" : "on_request",
      warn,
    }),
  )
  // What a human has to be asked, the server has asked before the call arrives here.
  const session = { approve: () => Promise.resolve(true) }
  const runtime = new ToolCallRuntime({ router, session, turn: { toolCallGate: { waitReady: () => Promise.resolve() } } })
  return {
    offer: { folder, shell, tools: router.specs.flatMap(toOffer) },
    answer: (call, signal) => answerCall(call, signal, runtime),
  }
}

function readShellMode(env: Readonly<Record<string, string | undefined>>): ShellMode {
  const mode = env["EXECUTOR_SHELL"] ?? ""
  if (mode === "" || mode === "sandboxed") return "sandboxed"
  if (mode === "unsandboxed") return "unsandboxed"
  throw new UsageError(`EXECUTOR_SHELL must be sandboxed or unsandboxed, not '${mode}'`)
}

/** What is wrong with a folder is the user's to mend. */
function openRouter<Router>(open: () => Router): Router {
  try {
    return open()
  } catch (error) {
    throw new UsageError(`--workspace: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function toOffer(spec: ToolSpec): LocalToolOffer[] {
  if (spec.type !== "function" || !isLocalTool(spec.name)) return []
  const { name, description, parameters } = spec
  return [{ name, description, inputSchema: name === "shell" ? withoutEscalation(parameters) : parameters }]
}

const isLocalTool = (name: string): name is LocalToolName => (localToolNames as readonly string[]).includes(name)

/** No call can ask to leave the sandbox. */
function withoutEscalation(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!isRecord(schema["properties"])) return schema
  const { sandbox_permissions: _, justification: __, ...properties } = schema["properties"]
  return { ...schema, properties }
}

async function answerCall({ callId, tool, args }: WorkspaceCall, signal: AbortSignal, runtime: ToolCallRuntime): Promise<WorkspaceAnswer> {
  try {
    const payload = { type: "function", arguments: JSON.stringify(args) } as const
    return toAnswer(tool, await runtime.handleToolCall({ toolName: tool, callId, payload }, signal))
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

/** A command that ran has a result, also where it failed: code reads its exit code. */
function toAnswer(tool: LocalToolName, item: ResponseInputItem): WorkspaceAnswer {
  if (item.type !== "function_call_output") return { ok: false, message: `${tool} gave no output` }
  const { content, success } = item.output
  const command = tool === "shell" ? readCommandResult(content) : null
  if (command !== null) return { ok: true, data: command }
  return success === true ? { ok: true, data: content } : { ok: false, message: content }
}

function readCommandResult(content: string): unknown {
  try {
    const parsed: unknown = JSON.parse(content)
    return isRecord(parsed) && isRecord(parsed["metadata"]) ? parsed : null
  } catch {
    return null
  }
}
