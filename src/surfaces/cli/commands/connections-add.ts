// `executor connections add`: binds credentials to an integration, which makes its tools callable.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { Option } from "commander"
import type { Owner } from "../../../core/address.ts"
import { authTemplates } from "../../../core/auth.ts"
import type { AuthTemplate } from "../../../core/auth.ts"
import { chooseAuth } from "../auth-choose.ts"
import { parsePlacement, readAuthValues } from "../auth-values.ts"
import { actWithExecutor } from "../command-action.ts"
import type { ExecutorDesk } from "../command-action.ts"
import { connectedText, connectionPath, readConnectionKey } from "../connection-key.ts"
import { exitCodes } from "../exit-code.ts"
import type { ExitCode } from "../exit-code.ts"
import { given } from "../given.ts"
import { orNameTaken } from "../name-taken.ts"
import { connectByOauth } from "../oauth-connect.ts"
import type { OauthOptions } from "../oauth-connect.ts"
import { collect, parseList, parseOwner } from "../option-parse.ts"
import { withProgress } from "../progress.ts"
import { safeLine } from "../text-safe.ts"

type AddOptions = OauthOptions & {
  readonly auth?: AuthTemplate
  readonly scheme?: string
  readonly name?: string
  readonly owner?: Owner
  readonly username?: string
  readonly secretStdin?: boolean
  readonly env?: string[]
  readonly placement?: string[]
}

export function configure(command: Command): void {
  command
    .description(
      "Connect an integration: bind its credentials, and make its tools callable. The secret is asked for, read from stdin, or left in a variable; it never stands on the command line.",
    )
    .argument("<integration>", "Its slug, or a whole name such as github.user.work.")
    .addOption(new Option("--auth <template>", "How it authenticates; by default what the integration offers.").choices(authTemplates))
    .option("--scheme <name>", "Which of several ways the integration offers, by its name.")
    .option("--name <name>", "The connection's name (default main).")
    .option("--owner <owner>", "org: shared (default); user: your own.", parseOwner)
    .option("--username <name>", "For basic authentication; the password is asked for.")
    .option("--secret-stdin", "Read the secret from stdin; several values as a JSON object.")
    .option("--env <name>", "Read the secret from this variable at each call; `value=NAME` where there are several.", collect)
    .option("--placement <place>", "For custom authentication, e.g. 'header:X-Key=${key}'.", collect)
    .option("--scopes <scopes>", "For OAuth: what to ask for, instead of what the integration names.", parseList)
    .option("--client <id>", "For OAuth: which registered client; by default the integration's own.")
    .addHelpText("after", examples)
  actWithExecutor<[string], AddOptions>(command, ([integration], options, desk) => add(integration, options, desk))
}

const examples = `
Examples:
  $ ${executorCommand} connections add github
  $ ${executorCommand} connections add github --auth bearer --env GITHUB_TOKEN
  $ pass show github | ${executorCommand} connections add github.user.work --auth bearer --secret-stdin
  $ ${executorCommand} connections add calendar --auth oauth2
  $ ${executorCommand} connections add shop --auth custom --placement 'header:X-Shop-Key=\${key}' --env SHOP_KEY
`

async function add(word: string, options: AddOptions, desk: ExecutorDesk): Promise<ExitCode> {
  const { api, screen } = desk
  const key = readConnectionKey(word, options)
  const path = connectionPath(key)
  const { facts } = await api.integrations.get(key.integration)
  const placements = (options.placement ?? []).map(parsePlacement)
  const bringsSecret = options.secretStdin === true || options.env !== undefined || options.username !== undefined
  const { auth: template, scheme, username } = options
  const chosen = await chooseAuth(facts.auth, { ...given({ template, scheme }), placements, bringsSecret }, screen)
  if (chosen.template === "oauth2" && !bringsSecret) return connectByOauth(key, options, desk)
  // What is bound is confirmed for these, so they are said before anybody types a secret.
  if (chosen.names.length > 0 && screen.canPrompt)
    screen.note(`Credentials will go to ${facts.origins.map((one) => safeLine(one)).join(", ") || "nowhere"}`)
  const sources = { env: options.env ?? [], secretStdin: options.secretStdin === true, ...given({ username }) }
  const values = await readAuthValues(chosen.names, sources, screen)
  const connection = await withProgress(`Connecting ${path}`, screen, () =>
    orNameTaken(
      { what: `a connection ${path}`, option: "--name", remove: `connections remove ${path}`, find: () => api.connections.get(key) },
      () => api.connections.create({ ...key, auth: { template: chosen.template, values, ...given({ placements: chosen.placements }) } }),
    ),
  )
  desk.print(connection, () => connectedText(connection))
  if (connection.status !== "ready") {
    if (!desk.printsJson) screen.note(`When that is mended: ${executorCommand} connections refresh ${path}`)
    return exitCodes.failed
  }
  if (!desk.printsJson) screen.note(`See what it can do: ${executorCommand} call --help ${connectionPath(connection)}`)
  return exitCodes.done
}
