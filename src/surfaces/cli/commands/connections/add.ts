// `executor connections add`: binds credentials to an integration, which makes its tools callable.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { Owner } from "../../../../core/address.ts"
import type { ConnectionView } from "../../../../core/connection.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { addAuthOptions, bringsSecret, chooseBy, readAuth } from "../../connections/auth.ts"
import type { AuthOptions } from "../../connections/auth.ts"
import { connectedText, connectionPath, readConnectionKey } from "../../connections/key.ts"
import { exitCodes } from "../../exit-code.ts"
import type { ExitCode } from "../../exit-code.ts"
import { orInterrupted } from "../../interrupt.ts"
import { orNameTaken } from "../../name-taken.ts"
import { connectByOauth } from "../../connections/oauth.ts"
import type { OauthOptions } from "../../connections/oauth.ts"
import { parseList, parseOwner } from "../../option-parse.ts"
import { withProgress } from "../../print/progress.ts"

type AddOptions = OauthOptions & AuthOptions & { readonly name?: string; readonly owner?: Owner }

export function configure(command: Command): void {
  command
    .description(
      "Connect an integration with credentials so that its tools can be called. The secret is prompted for, read from stdin, or read from an environment variable; never pass it on the command line.",
    )
    .argument("<integration>", "The integration's slug, or a full connection name such as github.user.work.")
    .option("--name <name>", "The connection's name (default main).")
    .option("--owner <owner>", "org: shared (default); user: your own.", parseOwner)
  addAuthOptions(command)
    .option("--scopes <scopes>", "For OAuth: the scopes to request instead of the integration's defaults.", parseList)
    .option("--client <id>", "For OAuth: the registered client to use (default: the integration's own).")
    .addHelpText("after", examples)
  actWithExecutor<[string], AddOptions>(command, ([integration], options, context) => add(integration, options, context))
}

const examples = `
Examples:
  $ ${executorCommand} connections add github
  $ ${executorCommand} connections add github --auth bearer --env GITHUB_TOKEN
  $ pass show github | ${executorCommand} connections add github.user.work --auth bearer --secret-stdin
  $ ${executorCommand} connections add calendar --auth oauth2
  $ ${executorCommand} connections add shop --auth custom --placement 'header:X-Shop-Key=\${key}' --env SHOP_KEY
`

const retryOrRemove = (path: string): string =>
  `To try again, run:  ${executorCommand} connections refresh ${path}\nTo remove it, run:  ${executorCommand} connections remove ${path}`

async function add(word: string, options: AddOptions, context: ExecutorCommandContext): Promise<ExitCode> {
  const { api, screen } = context
  const key = readConnectionKey(word, options)
  const path = connectionPath(key)
  const integration = await api.integrations.get(key.integration)
  const chosen = await chooseBy(options, integration, screen)
  if (chosen.template === "oauth2" && !bringsSecret(options)) return connectByOauth(key, options, context)
  const auth = await readAuth(chosen, options, integration, screen)
  const find = (): Promise<ConnectionView> => api.connections.get(key)
  const taken = { what: `a connection ${path}`, option: "--name", change: `connections update ${path}`, find } as const
  const connection = await orInterrupted(
    () => `The connection may have been created already.\n${retryOrRemove(path)}`,
    screen,
    () => withProgress(`Connecting ${path}`, screen, () => orNameTaken(taken, () => api.connections.create({ ...key, auth }))),
  )
  context.print(connection, () => connectedText(connection))
  if (connection.status !== "ready") {
    if (!context.printsJson) screen.note(`Once that is fixed, run: ${executorCommand} connections refresh ${path}`)
    return exitCodes.failed
  }
  if (context.printsJson) return exitCodes.done
  // The tools of the others were read with it.
  if (integration.kind === "openapi" && auth.template !== "none")
    screen.note("The credential has not been tried yet; the first call will show whether it works.")
  screen.note(`Explore its tools: ${executorCommand} call --help ${connectionPath(connection)}`)
  return exitCodes.done
}
