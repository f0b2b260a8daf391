// The options of `executor signin providers add` and `update`.
import { InvalidArgumentError } from "commander"
import type { Command } from "commander"
import type { SignInProviderUpdate, SignInRule } from "../../core/people/sign-in.ts"
import { omitUndefined } from "./omit-undefined.ts"
import { parseList } from "./option-parse.ts"
import { readStdin } from "./prompt/input-read.ts"

export type ProviderOptions = {
  readonly scopes?: string[]
  readonly claim?: string
  readonly rule?: SignInRule[]
  readonly defaultRole?: string
  readonly domain?: string[]
  readonly allow?: string[]
  readonly secretStdin?: boolean
  readonly env?: string
}

export const addProviderOptions = (command: Command): Command =>
  command
    .option("--secret-stdin", "Read the client secret from stdin.")
    .option("--env <name>", "Have the server read the client secret from this environment variable.")
    .option("--scopes <scopes>", "What to ask for besides openid, e.g. email,profile,groups.", parseList)
    .option("--claim <path>", "The claim whose values the rules match: groups, realm_access.roles, or a JSON pointer.")
    .option(
      "--rule <value=roles>",
      "A value of the claim, * for any characters, and the roles it gives: 'eng-*=developer'. Repeat.",
      collectRule,
    )
    .option("--default-role <role>", "For people whom no rule matches. It may carry no rights.")
    .option("--domain <domains>", "Only verified addresses of these domains may sign in.", parseList)
    .option("--allow <values>", "Only people with one of these values of the claim may sign in.", parseList)

function collectRule(text: string, before: readonly SignInRule[] = []): SignInRule[] {
  const cut = text.lastIndexOf("=")
  const roles = text
    .slice(cut + 1)
    .split(",")
    .filter((role) => role !== "")
  if (cut < 1 || roles.length === 0)
    throw new InvalidArgumentError("It must be a value and roles, such as 'eng-*=developer' or 'ops=admin,auditor'.")
  return [...before, { value: text.slice(0, cut), roles }]
}

export async function readProviderOptions(options: ProviderOptions): Promise<SignInProviderUpdate> {
  const secret =
    options.secretStdin === true ? (await readStdin()).trim() : options.env === undefined ? undefined : `\${env:${options.env}}`
  const { domain, allow } = options
  return omitUndefined({
    clientSecret: secret,
    scopes: options.scopes,
    claim: options.claim,
    rules: options.rule,
    defaultRole: options.defaultRole,
    allow: domain === undefined && allow === undefined ? undefined : omitUndefined({ domains: domain, values: allow }),
  })
}
