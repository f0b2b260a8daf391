// Offers `shell` to a model, if commands can be confined here or the config says that they need not be.
import { readDataDir } from "../../local/data-dir.ts"
import type { ToolRegistryBuilder } from "../registry-builder.ts"
import { chooseSandbox } from "../shell-sandbox/choose.ts"
import type { SandboxChoice } from "../shell-sandbox/choose.ts"
import { defaultCommandLimits } from "../shell-sandbox/command-limits.ts"
import { isWithin, userSecrets } from "../shell-sandbox/system-paths.ts"
import { warnInNode } from "../tool-warning.ts"
import type { ToolSpec } from "../tool.ts"
import type { ToolsConfig } from "../tools-config.ts"
import { ShellHandler } from "./shell.ts"
import { openWorkspace } from "./workspace.ts"
import type { Workspace } from "./workspace.ts"

type Sandbox = Pick<SandboxChoice, "driver" | "tried">

export function addShellTools(builder: ToolRegistryBuilder, config: ToolsConfig, choose: () => Sandbox = chooseSandbox): void {
  const { workspace: folder, shell = "sandboxed", approvalPolicy, network, outputTokensMax, warn = warnInNode } = config
  if (folder === undefined || shell === "off") return
  const sandbox = shell === "unsandboxed" ? { driver: null, tried: [] } : choose()
  if (sandbox.driver === null && shell !== "unsandboxed") {
    warn(`The tool 'shell' is left out: this machine has no sandbox for it. ${reasons(sandbox)}. To do without it: shell = "off".`)
    return
  }
  const handler = new ShellHandler({
    workspace: openShellWorkspace(folder),
    sandbox,
    ...(approvalPolicy === undefined ? {} : { approvalPolicy }),
    ...(network === undefined ? {} : { network }),
    ...(outputTokensMax === undefined ? {} : { outputTokensMax }),
  })
  builder.pushSpecWithParallelSupport(shellSpec, true)
  builder.registerHandler("shell", handler)
  // Models that bring a shell tool of their own along are answered by the same handler.
  builder.registerHandler("local_shell", handler)
}

/** The workspace, in which keys of the user do not exist for commands. */
export function openShellWorkspace(folder: string, dataDir: string = readDataDir(process.env)): Workspace {
  const secrets = userSecrets(dataDir)
  const workspace = openWorkspace(folder, secrets)
  if (workspace.root === "/") throw new Error("The workspace cannot be the whole file system. Choose the folder of a project.")
  const around = secrets.find((path) => isWithin(path, workspace.root))
  if (around !== undefined)
    throw new Error(`The workspace '${workspace.named}' is inside '${around}', where keys are kept. Choose another folder.`)
  return workspace
}

const reasons = ({ tried }: Sandbox): string =>
  tried.map((report) => `${report.driver}: ${report.works ? "works" : report.reason}`).join(". ")

export const shellSpec: ToolSpec = {
  type: "function",
  name: "shell",
  description:
    "Runs a command in the workspace and returns its output. The arguments go to the program as they are; for a script, use " +
    `["bash", "-lc", "…"]. The command runs in a sandbox: it can write to the workspace only, where \`.git\` is read-only, and has no network unless that was allowed.`,
  parameters: {
    type: "object",
    properties: {
      command: { type: "array", items: { type: "string" }, minItems: 1, description: "The program and its arguments." },
      workdir: { type: "string", description: "The folder to run it in; the workspace if left out." },
      timeout_ms: {
        type: "number",
        description: `After how many milliseconds it is stopped; ${defaultCommandLimits.timeoutMs} if left out, at most ${defaultCommandLimits.timeoutMsMax}.`,
      },
      sandbox_permissions: {
        type: "string",
        enum: ["use_default", "require_escalated"],
        description:
          "`require_escalated` asks a human to let the command run without the sandbox. Use it only if the command cannot work otherwise.",
      },
      justification: { type: "string", description: "With `require_escalated`: one sentence that tells the human why." },
    },
    required: ["command"],
    additionalProperties: false,
  },
}
