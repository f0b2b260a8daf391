// The options by which an integration is described, when it is added and when it is changed.
import type { Command } from "commander"
import { omitUndefined } from "./omit-undefined.ts"
import { readJsonObject } from "./prompt/input-read.ts"
import { parseList } from "./option-parse.ts"

export type IntegrationOptions = {
  readonly name?: string
  readonly description?: string
  readonly baseUrl?: string
  readonly endpoint?: string
  readonly include?: string[]
  readonly exclude?: string[]
  readonly config?: string
}

export function addIntegrationOptions(command: Command): Command {
  return command
    .option("--name <name>", "A display name.")
    .option("--description <text>", "A description.")
    .option("--base-url <url>", "The URL for calls, instead of the server in the OpenAPI document.")
    .option("--endpoint <url>", "The endpoint for calls when a GraphQL schema comes from a file.")
    .option("--include <patterns>", "Only these tools, e.g. 'repos.*,issues.*'.", parseList)
    .option("--exclude <patterns>", "Exclude these tools.", parseList)
    .option("--config <json>", "Additional config for this kind: JSON, @file, or - for stdin.")
}

/** What `--config` says wins. */
export async function readIntegrationConfig(options: IntegrationOptions): Promise<Record<string, unknown>> {
  const { baseUrl, endpoint, include, exclude } = options
  const extra = options.config === undefined ? {} : await readJsonObject(options.config, "--config")
  return { ...omitUndefined({ baseUrl, endpoint, include, exclude }), ...extra }
}
