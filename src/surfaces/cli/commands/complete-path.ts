// `executor complete-path`: lists what a tool's path may go on with; shells ask it while somebody types.
import type { Command } from "commander"
import { withoutRoot } from "../../../core/address.ts"
import { openServer } from "../server/open-executor.ts"
import { openScreen } from "../print/screen.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { branchesBelow } from "../tools/browse.ts"

export function configure(command: Command): void {
  command.argument("[prefix]", "The text typed so far.", "").action(async (typed: string) => {
    // Without a server it would take as long as starting the product, at every press of a key.
    const server = await openServer(process.env)
    if (server === null) return
    const screen = openScreen()
    const path = withoutRoot(typed)
    const parent = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : ""
    for (const branch of await branchesBelow(parent, server.api)) {
      const text = safeLine(branch.path)
      if (text.startsWith(path)) screen.data(branch.isTool && branch.toolCount === 1 ? text : `${text}.`)
    }
  })
}
