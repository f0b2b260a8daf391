// The options by which a command is given credentials, and what a connection is bound with through them.
import { Option } from "commander"
import type { Command } from "commander"
import { authTemplates } from "../../../core/auth.ts"
import type { AuthTemplate, ConnectionAuth } from "../../../core/auth.ts"
import type { IntegrationView } from "../../../core/integration.ts"
import { chooseAuth } from "./auth-choose.ts"
import type { ChosenAuth } from "./auth-choose.ts"
import { parsePlacement, readAuthValues } from "./auth-values.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { collect } from "../option-parse.ts"
import type { Screen } from "../print/screen.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { UsageError } from "../usage-error.ts"

export type AuthOptions = {
  readonly auth?: AuthTemplate
  readonly scheme?: string
  readonly username?: string
  readonly secretStdin?: boolean
  readonly env?: string[]
  readonly placement?: string[]
}

export function addAuthOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--auth <template>", "The authentication method (default: the one the integration offers).").choices(authTemplates),
    )
    .option("--scheme <name>", "The name of the scheme, if the integration offers several.")
    .option("--username <name>", "The username for basic authentication; you are prompted for the password.")
    .option("--secret-stdin", "Read the secret from stdin; several values as a JSON object.")
    .option(
      "--env <name>",
      "Read the secret from this environment variable on each call; write `value=NAME` if there are several.",
      collect,
    )
    .option("--placement <place>", "For custom authentication, e.g. 'header:X-Key=${key}'.", collect)
}

export const bringsSecret = (options: AuthOptions): boolean =>
  options.secretStdin === true || options.env !== undefined || options.username !== undefined

export async function chooseBy(options: AuthOptions, { slug, facts }: IntegrationView, screen: Screen): Promise<ChosenAuth> {
  const placements = (options.placement ?? []).map(parsePlacement)
  const { auth: template, scheme } = options
  const chosen = await chooseAuth(
    facts.auth,
    { ...omitUndefined({ template, scheme }), placements, bringsSecret: bringsSecret(options) },
    screen,
  )
  if (chosen.names.length === 0 && bringsSecret(options))
    throw new UsageError(
      `${slug} does not declare any credentials. Specify how to send the secret: --auth bearer, or --placement 'header:X-Key=\${key}'`,
    )
  return chosen
}

/** Asks for what the options did not bring. */
export async function readAuth(
  chosen: ChosenAuth,
  options: AuthOptions,
  { facts }: IntegrationView,
  screen: Screen,
): Promise<ConnectionAuth> {
  // What is bound is confirmed for these, so they are said before anybody types a secret.
  if (chosen.names.length > 0 && screen.canPrompt)
    screen.note(
      `Credentials will be sent to ${facts.origins.map((one) => safeLine(one)).join(", ") || "no host yet: the integration does not name a server"}`,
    )
  const sources = { env: options.env ?? [], secretStdin: options.secretStdin === true, ...omitUndefined({ username: options.username }) }
  const values = await readAuthValues(chosen.names, sources, screen)
  return { template: chosen.template, values, ...omitUndefined({ placements: chosen.placements }) }
}
