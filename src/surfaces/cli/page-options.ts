// The options of commands that show a list page by page.
import type { Command } from "commander"
import type { PageRequest } from "../../core/page.ts"
import { given } from "./given.ts"
import { parseCount } from "./option-parse.ts"

export type PageOptions = { readonly limit?: number; readonly cursor?: string }

export const addPageOptions = (command: Command, help: string): Command =>
  command
    .option("--limit <number>", "At most so many.", parseCount)
    .option("--cursor <cursor>", "Go on where a list ended.")
    .addHelpText("after", help)

export const pageRequest = ({ limit, cursor }: PageOptions): PageRequest => given({ limit, cursor })
