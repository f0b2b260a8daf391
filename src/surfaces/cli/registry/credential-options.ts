// The options that say what a credential of the tenant is, and where its values come from.
import type { Command } from "commander"
import { collect, parseList } from "../option-parse.ts"

export type CredentialOptions = {
  readonly label?: string
  readonly variant?: string
  readonly category?: string
  readonly value?: string[]
  readonly endpoint?: string
  readonly secretStdin?: boolean
  readonly env?: string[]
}

export const addCredentialOptions = (command: Command): Command =>
  command
    .option("--label <text>", "The name, for people; by default the provider.")
    .option("--variant <name>", "The provider's variant, e.g. serper for web_search.")
    .option("--category <name>", "The category; by default custom.")
    .option("--value <names>", "The names of its values, separated by commas; by default api_key. You are asked for each.", parseList)
    .option("--endpoint <url>", "The only address that it is sent to; by default the provider's own.")
    .option("--secret-stdin", "Read the value from stdin; several as a JSON object.")
    .option("--env <name>", "Read it from this environment variable on each call; `value=NAME` if there are several.", collect)
