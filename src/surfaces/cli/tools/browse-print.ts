// `executor call --help <prefix>`: the children of a prefix, or the help of the tool that it is.
import { executorCommand } from "../../../io/executor-command.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { formatTable } from "../print/table.ts"
import type { Column } from "../print/table.ts"
import { branchesBelow } from "./browse.ts"
import type { Branch } from "./browse.ts"
import { describeForMachines, toolHelp } from "./help.ts"
import { toolCountText } from "../print/count.ts"
import { findTool } from "./lookup.ts"

/** A tool that nobody can call says so beside its name. */
const whatText = ({ isTool, blockedCount, description }: Branch): string =>
  isTool && blockedCount > 0 ? `(blocked) ${description}`.trimEnd() : description

const columns: readonly Column<Branch>[] = [
  { title: "PATH", value: (branch) => branch.path, keeps: true },
  { title: "TOOLS", value: (branch) => (branch.isTool && branch.toolCount === 1 ? "" : toolCountText(branch)) },
  { title: "WHAT", value: whatText },
]

export async function browse(prefix: string, context: ExecutorCommandContext): Promise<void> {
  const branches = await branchesBelow(prefix, context.api)
  if (branches.length === 0) {
    const found = await findTool(prefix, context.api)
    return context.print(describeForMachines(found), () => toolHelp(found, context.screen.out))
  }
  const { screen } = context
  const shown = branches.every((branch) => branch.isTool) ? columns.filter(({ title }) => title !== "TOOLS") : columns
  context.print({ items: branches }, () => formatTable(shown, branches, { columns: screen.columns, heading: screen.out.bold }))
  if (!context.printsJson) screen.note(screen.err.dim(`\nNext: ${executorCommand} call --help <path>`))
}
