// Asks a human whether a command may run without a sandbox.
import { safeLine } from "../../core/text/safe.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolInvocation } from "../tool.ts"
import type { ShellArguments } from "./shell-arguments.ts"

type Circumstances = { readonly approvalPolicy: "on_request" | "never"; readonly hasSandbox: boolean }

const shownCharsMax = 2000

/** Returns if the human agrees, and refuses the call otherwise. */
export async function askHuman(
  args: ShellArguments,
  { session, signal, callId, toolName }: ToolInvocation,
  { approvalPolicy, hasSandbox }: Circumstances,
): Promise<void> {
  if (approvalPolicy === "never") {
    throw FunctionCallError.respondToModel(
      hasSandbox
        ? "approval policy is Never; reject command — you should not ask for escalated permissions if the approval policy is Never"
        : "approval policy is Never; reject command — there is no sandbox here, so that a human would have to approve every command",
    )
  }
  if (session.approve === undefined) {
    throw FunctionCallError.respondToModel(
      hasSandbox
        ? "this command needs the approval of a human, and nobody can be asked here; run it with sandbox_permissions use_default"
        : "there is no sandbox here, so that a human has to approve every command, and nobody can be asked here",
    )
  }
  const details = { command: args.command, workdir: args.workdir ?? ".", justification: args.justification ?? null }
  const isApproved = await session.approve({ callId, toolName, message: questionText(args), details }, signal)
  if (!isApproved) throw FunctionCallError.respondToModel("rejected by user")
}

function questionText({ command, justification }: ShellArguments): string {
  const shown = command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" ")
  const reason = justification === undefined ? "" : ` Reason given: ${shortened(justification)}`
  return `Run without a sandbox: ${shortened(shown)}${reason}`
}

/** Nobody should agree to what is not shown without knowing that there is more. */
function shortened(text: string): string {
  if (text.length <= shownCharsMax) return safeLine(text)
  const [first, last] = [text.slice(0, shownCharsMax / 2), text.slice(-shownCharsMax / 2)]
  return `${safeLine(first)} […${text.length - shownCharsMax} characters are not shown here…] ${safeLine(last)}`
}
