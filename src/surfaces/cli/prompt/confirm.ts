// Asks before something is lost.
import { askYesNo } from "./prompt.ts"
import type { Screen } from "../print/screen.ts"
import { UsageError } from "../usage-error.ts"

/** Of what cannot be made again: where nobody can be asked, a script has to say that it means it. */
export async function confirmRemoval(message: string, options: { readonly yes?: boolean }, screen: Screen): Promise<void> {
  if (options.yes === true) return
  if (!(await askYesNo({ message, flag: "--yes" }, screen))) throw new UsageError("Nothing was changed")
}

/** Where nobody can be asked, a script has decided already. */
export async function confirmLoss(message: string, options: { readonly yes?: boolean }, screen: Screen): Promise<void> {
  if (screen.canPrompt) await confirmRemoval(message, options, screen)
}
