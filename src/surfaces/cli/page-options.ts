// The options of commands that show a list page by page.
import type { Command } from "commander"
import type { PageRequest } from "../../core/page.ts"
import { omitUndefined } from "./omit-undefined.ts"
import { parseCount } from "./option-parse.ts"

export type PageOptions = { readonly limit?: number; readonly cursor?: string }

export const addPageOptions = (command: Command, help: string): Command =>
  command
    .option("--limit <number>", "The maximum number of results.", parseCount)
    .option("--cursor <cursor>", "Continue from a previous page.")
    .addHelpText("after", help)

export const pageRequest = ({ limit, cursor }: PageOptions): PageRequest => omitUndefined({ limit, cursor })
