// `executor web`: a link that signs this machine's human in to a browser, once.
import { executorCommand } from "../../../io/executor-command.ts"
import { hasDesktop, openBrowser } from "../../../io/open-browser.ts"
import type { ExecutorDesk } from "../command-action.ts"
import { UsageError } from "../usage-error.ts"

export async function showWeb(desk: ExecutorDesk, options: { readonly opens: boolean }): Promise<void> {
  if (desk.place.kind !== "server") throw new UsageError(`No server is running; start one with \`${executorCommand} serve\``)
  const { code, expiresAt } = await desk.api.sessions.create()
  const url = `${desk.place.origin.replace(/\/api$/, "")}/signin?code=${code}`
  const isOpened = options.opens && hasDesktop(process.env) && (await openBrowser(url))
  desk.print({ url, expiresAt, opened: isOpened }, () => url)
  if (!desk.printsJson)
    desk.screen.note(isOpened ? "Opened in your browser." : "Open the link in your browser. It works once and expires after ten minutes.")
}
