// `shell`: runs a command in the workspace, inside the sandbox of this machine.
//
//   read the arguments ─▶ may it run without a sandbox? ─▶ find the folder ─▶ run ─▶ JSON of output, exit code and duration
import { defaultLimits } from "../../core/limits.ts"
import { effectOfCommand } from "../../core/shell-command/effect.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { SandboxChoice } from "../shell-sandbox/choose.ts"
import { confinedEnvironment, withoutSecrets } from "../shell-sandbox/command-environment.ts"
import { defaultCommandLimits } from "../shell-sandbox/command-limits.ts"
import type { CommandLimits } from "../shell-sandbox/command-limits.ts"
import { runCommand } from "../shell-sandbox/command-run.ts"
import { none } from "../shell-sandbox/none/none.ts"
import type { ConfinedCommand, SandboxDriver } from "../shell-sandbox/shell-sandbox.ts"
import { isWithin, nodePaths } from "../shell-sandbox/system-paths.ts"
import type { ToolHandler, ToolInvocation, ToolOutput, ToolPayload } from "../tool.ts"
import { askHuman } from "./shell-approval.ts"
import { readShellArguments } from "./shell-arguments.ts"
import type { ShellArguments } from "./shell-arguments.ts"
import { shellOutput } from "./shell-output.ts"
import { locateFolder, readOnlyPaths } from "./workspace.ts"
import type { Workspace } from "./workspace.ts"

export type ShellOptions = {
  /** Its `hidden` files do not exist for commands. */
  readonly workspace: Workspace
  /** Without a driver every command asks, and runs as it is. */
  readonly sandbox: Pick<SandboxChoice, "driver">
  readonly approvalPolicy?: "on_request" | "never"
  readonly network?: boolean
  /** Files and folders that commands may read, besides those of the system and the workspace. */
  readonly readable?: readonly string[]
  readonly limits?: Partial<CommandLimits>
  readonly outputTokensMax?: number
  /** That of this process unless given; secrets are removed from it. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export class ShellHandler implements ToolHandler {
  readonly kind = "function"
  readonly #options: ShellOptions
  readonly #limits: CommandLimits
  /** As they are before the first command, which could put a link in the place of one that is missing. */
  readonly #readOnly: readonly string[]

  constructor(options: ShellOptions) {
    this.#options = options
    this.#limits = { ...defaultCommandLimits, ...options.limits }
    this.#readOnly = readOnlyPaths(options.workspace)
  }

  matchesKind(payload: ToolPayload): boolean {
    return payload.type === "function" || payload.type === "local_shell"
  }

  /** Arguments that cannot be read change nothing: the call is refused. */
  async isMutating({ payload }: ToolInvocation): Promise<boolean> {
    try {
      return effectOfCommand(readShellArguments(payload, this.#limits).command) !== "read"
    } catch {
      return false
    }
  }

  async handle(invocation: ToolInvocation): Promise<ToolOutput> {
    const args = readShellArguments(invocation.payload, this.#limits)
    const driver = await this.#driverFor(args, invocation)
    const cwd = await locateFolder(this.#options.workspace, args.workdir ?? ".")
    const confined = this.#confined(args, cwd, driver)
    const obstacle = driver.obstacle(confined)
    if (obstacle !== null) throw FunctionCallError.respondToModel(`the command cannot be run in the sandbox: ${obstacle}`)
    if (effectOfCommand(args.command) !== "read") invocation.tracker.onUnknownChange()
    const result = await runCommand(driver, confined, { timeoutMs: args.timeoutMs, signal: invocation.signal })
    return shellOutput(result, this.#options.outputTokensMax ?? defaultLimits.toolOutputTokensMax)
  }

  async #driverFor(args: ShellArguments, invocation: ToolInvocation): Promise<SandboxDriver> {
    const { sandbox, approvalPolicy = "on_request" } = this.#options
    if (sandbox.driver !== null && args.sandboxPermissions === "use_default") return sandbox.driver
    await askHuman(args, invocation, { approvalPolicy, hasSandbox: sandbox.driver !== null })
    return none
  }

  #confined({ command }: ShellArguments, cwd: string, driver: SandboxDriver): ConfinedCommand {
    const { workspace, readable = [], network = false, env = process.env } = this.#options
    const visible = [...nodePaths(), ...readable]
    const isVisible = (folder: string): boolean => visible.some((path) => isWithin(path, folder))
    return {
      command,
      cwd,
      workspace: workspace.root,
      hidden: workspace.hidden.filter((path) => isWithin(workspace.root, path)),
      readOnly: this.#readOnly,
      readable: visible,
      network,
      env: driver.name === "none" ? withoutSecrets(env) : confinedEnvironment(env, isVisible),
      limits: this.#limits,
    }
  }
}
