// `executor connections update`: replaces the credentials of a connection, or confirms where they may go.
import type { Command } from "commander"
import { executorCommand } from "../../../../io/executor-command.ts"
import type { ConnectionUpdate, ConnectionView } from "../../../../core/connection.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { addAuthOptions, bringsSecret, chooseBy, readAuth } from "../../connections/auth.ts"
import type { AuthOptions } from "../../connections/auth.ts"
import { connectionPath, readConnectionKey, troubleText } from "../../connections/key.ts"
import type { ConnectionOptions } from "../../connections/key.ts"
import { exitCodes } from "../../exit-code.ts"
import type { ExitCode } from "../../exit-code.ts"
import { connectByOauth } from "../../connections/oauth.ts"
import { parseOwner } from "../../option-parse.ts"
import { withProgress } from "../../print/progress.ts"
import { counted } from "../../print/count.ts"
import { safeLine } from "../../../../core/text/safe.ts"

type UpdateOptions = ConnectionOptions & AuthOptions & { readonly confirmOrigins?: boolean }

export function configure(command: Command): void {
  command
    .description("Replace a connection's credentials, for example after rotating a key. Its tools, pins and policies are kept.")
    .argument("<connection>", "The integration's slug, or a full connection name such as github.user.work.")
    .option("--name <name>", "The connection's name (default main).")
    .option("--owner <owner>", "org (default) or user.", parseOwner)
    .option("--confirm-origins", "Allow the credentials to be sent to the integration's current hosts.")
  addAuthOptions(command).addHelpText("after", examples)
  actWithExecutor<[string], UpdateOptions>(command, ([word], options, context) => update(word, options, context))
}

const examples = `
Examples:
  $ ${executorCommand} connections update github
  $ ${executorCommand} connections update github --env GITHUB_TOKEN
  $ pass show github | ${executorCommand} connections update github.user.work --auth bearer --secret-stdin
  $ ${executorCommand} connections update shop --confirm-origins
`

async function update(word: string, options: UpdateOptions, context: ExecutorCommandContext): Promise<ExitCode> {
  const key = readConnectionKey(word, options)
  const before = await context.api.connections.get(key)
  const isOauth = (options.auth ?? before.auth.template) === "oauth2" && !bringsSecret(options) && options.placement === undefined
  if (options.confirmOrigins !== true && isOauth) return connectByOauth(key, {}, context)
  const change = await readChange(before, options, context)
  const after = await withProgress(`Updating ${connectionPath(key)}`, context.screen, () => context.api.connections.update(key, change))
  context.print(after, () => updatedText(after))
  return after.status === "ready" ? exitCodes.done : exitCodes.failed
}

/** Confirming alone leaves the credentials as they are. */
async function readChange(
  before: ConnectionView,
  options: UpdateOptions,
  { api, screen }: ExecutorCommandContext,
): Promise<ConnectionUpdate> {
  const integration = await api.integrations.get(before.integration)
  const confirmed = options.confirmOrigins === true ? { confirmOrigins: integration.facts.origins } : {}
  const isAuthMeant = bringsSecret(options) || options.auth !== undefined || options.placement !== undefined || options.scheme !== undefined
  if (options.confirmOrigins === true && !isAuthMeant) return confirmed
  // Without a word it stays the way of authenticating that it has.
  const asked = options.auth === undefined && before.auth.template !== "none" ? { ...options, auth: before.auth.template } : options
  return { ...confirmed, auth: await readAuth(await chooseBy(asked, integration, screen), asked, integration, screen) }
}

function updatedText(connection: ConnectionView): string {
  const path = connectionPath(connection)
  if (connection.status !== "ready") return `Updated ${path}, but ${troubleText(connection)}`
  const origins = connection.origins.map((one) => safeLine(one)).join(", ")
  return `Updated ${path}: ${counted(connection.toolCount, "tool")}${origins === "" ? "" : `, credentials are sent to ${origins}`}`
}
