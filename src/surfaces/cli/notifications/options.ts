// The options that say what a notification tells, and where its address comes from: never from the command line, it is a secret.
import type { Command } from "commander"
import { parseList } from "../option-parse.ts"
import { readStdin } from "../prompt/input-read.ts"
import { askSecret } from "../prompt/prompt.ts"
import type { Screen } from "../print/screen.ts"

export type NotificationOptions = {
  readonly tools?: string[]
  readonly arguments?: boolean
  readonly urlStdin?: boolean
}

export const addNotificationOptions = (command: Command): Command =>
  command
    .option("--tools <patterns>", "Only approvals of these tools, e.g. 'shop.orders.*,mail.*'.", parseList)
    .option("--url-stdin", "Read the address from stdin.")
    .option("--arguments", "Tell the arguments of the calls too.")

export async function readUrl({ urlStdin }: NotificationOptions, screen: Screen): Promise<string> {
  if (urlStdin === true) return (await readStdin()).trim()
  return askSecret({ message: "What is the address of the webhook?", flag: "--url-stdin" }, screen)
}
