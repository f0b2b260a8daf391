// Asks before something is lost, where somebody can be asked; a script has decided already.
import { askYesNo } from "./prompt.ts"
import type { Screen } from "../print/screen.ts"
import { UsageError } from "../usage-error.ts"

export async function confirmLoss(message: string, options: { readonly yes?: boolean }, screen: Screen): Promise<void> {
  if (options.yes === true || !screen.canPrompt) return
  if (!(await askYesNo({ message, flag: "--yes" }, screen))) throw new UsageError("Nothing was changed")
}
