// The options that say where a model provider is, and where its key comes from.
import type { Command } from "commander"
import { parseList } from "../option-parse.ts"
import { collectPrice } from "./model-price.ts"
import type { TypedPrice } from "./model-price.ts"
import { readAuthValues } from "../connections/auth-values.ts"
import type { Screen } from "../print/screen.ts"
import { UsageError } from "../usage-error.ts"

export type ModelProviderOptions = {
  readonly url?: string
  readonly models?: string[]
  readonly price?: TypedPrice[]
  readonly env?: string
  readonly secretStdin?: boolean
}

export const addModelProviderOptions = (command: Command): Command =>
  command
    .option("--url <address>", "The base address, e.g. http://127.0.0.1:11434/v1; by default the provider's own.")
    .option("--models <names>", "The models to choose from, separated by commas.", parseList)
    .option(
      "--price <model=in/out[/cached]>",
      "What a million tokens cost in US dollars, e.g. gpt-5=1.25/10/0.125; runs then tell their cost. Repeatable.",
      collectPrice,
    )
    .option("--secret-stdin", "Read the key from stdin.")
    .option("--env <name>", "Read the key from this environment variable of the server on each call.")

/** Asks for it on a terminal where nothing else says where it comes from. */
export async function readKey({ env, secretStdin }: ModelProviderOptions, screen: Screen): Promise<string | undefined> {
  if (env === undefined && secretStdin !== true && !screen.canPrompt)
    throw new UsageError("Its key? Pass --env NAME or --secret-stdin, or --no-key where it needs none")
  const values = await readAuthValues(["api_key"], { env: env === undefined ? [] : [env], secretStdin: secretStdin === true }, screen)
  return values["api_key"]
}
