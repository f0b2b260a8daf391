// `executor signin providers test`: a link to a sign-in that shows claims and roles, and saves nothing.
import type { Command } from "commander"
import { executorCommand } from "../../../../io/executor-command.ts"
import { hasDesktop, openBrowser } from "../../../../io/open-browser.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command
    .description("Sign in at a provider as a test. The browser shows the claims, and the roles that they would give; nothing is saved.")
    .argument("<id>", `The id, as shown by ${executorCommand} signin providers list.`)
    .option("--no-open", "Only print the link.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} signin providers test okta\n`)
  actWithExecutor<[string], { readonly open: boolean }>(command, async ([id], { open }, context) => {
    const { url, expiresAt } = await context.api.signIn.providers.test(id)
    const isOpened = open && context.screen.canPrompt && hasDesktop(process.env) && (await openBrowser(url))
    context.print({ url, expiresAt, opened: isOpened }, () => url)
    if (!context.printsJson)
      context.screen.note(isOpened ? "Opened in your browser." : "Open the link in a browser. It works once and expires after ten minutes.")
  })
}
