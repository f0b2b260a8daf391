// `executor web`: a link that opens the console with this machine's human signed in, once.
import { executorCommand } from "../../../io/executor-command.ts"
import { hasDesktop, openBrowser } from "../../../io/open-browser.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { UsageError } from "../usage-error.ts"

export async function showWeb(context: ExecutorCommandContext, options: { readonly opens: boolean }): Promise<void> {
  if (context.place.kind !== "server") throw new UsageError(`No server is running; start one with \`${executorCommand} serve\``)
  const { code, expiresAt } = await context.api.sessions.create()
  const { origin, publicUrl } = context.place
  const localUrl = `${origin.replace(/\/api$/, "")}/signin?code=${code}&next=/`
  const url = publicUrl === undefined ? localUrl : `${publicUrl}/signin?code=${code}&next=/`
  const isOpened = options.opens && hasDesktop(process.env) && (await openBrowser(url))
  context.print({ url, expiresAt, opened: isOpened }, () => url)
  if (!context.printsJson)
    context.screen.note(
      isOpened ? "Opened in your browser." : "Open the link in your browser. It works once and expires after ten minutes.",
    )
  if (!context.printsJson && publicUrl !== undefined && new URL(publicUrl).hostname !== "localhost")
    context.screen.note(`If that address does not respond, use the same link in a browser on this machine: ${localUrl}`)
}
