// The tools of a workspace as the catalog knows them: what each does is stated here, whatever its process says of it.
import { effectOfCommand } from "../core/shell-command/effect.ts"
import type { Effect } from "../core/tool.ts"
import { localSlug } from "../core/workspaces/workspace.ts"
import type { LocalToolName, LocalToolOffer, WorkspaceOffer } from "../core/workspaces/workspace.ts"
import type { StaticTool } from "../catalog/static-tool.ts"
import type { Workspace } from "./workspace.ts"

const effects: Readonly<Record<LocalToolName, Effect>> = {
  read_file: "read",
  search: "read",
  write_file: "write",
  apply_patch: "write",
  shell: "destroy",
}

export function localTools({ folder, tools, shell = "sandboxed" }: WorkspaceOffer, workspace: Workspace): StaticTool[] {
  const source = { name: "Local tools", description: `The folder ${folder}` }
  return tools.map((tool) => {
    const effect = effects[tool.name]
    const isFree = tool.name === "shell" && shell === "unsandboxed"
    const effectOf = tool.name === "shell" && !isFree ? effectOfShell : undefined
    return {
      fqid: `${localSlug}.${tool.name}`,
      pluginId: localSlug,
      source,
      title: titleOf(tool, folder, isFree),
      description: tool.description,
      effect,
      requiresApproval: effect !== "read",
      ...(effectOf === undefined ? {} : { effectOf }),
      alwaysAsks: isFree,
      audience: "everyone",
      mayElicit: false,
      inputSchema: tool.inputSchema,
      outputSchema: null,
      call: ({ args, signal, timeoutMs }) =>
        workspace.call({ tool: tool.name, args, effect: effectOf?.(args) ?? effect, timeoutMs, signal }),
    } satisfies StaticTool
  })
}

const titleOf = ({ name }: LocalToolOffer, folder: string, isFree: boolean): string =>
  `${name} in ${folder}${isFree ? ", without a sandbox" : ""}`

/** Arguments that are no command are refused by the tool's schema, or by the process itself. */
function effectOfShell({ command }: Readonly<Record<string, unknown>>): Effect {
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) return "destroy"
  return effectOfCommand(command)
}
