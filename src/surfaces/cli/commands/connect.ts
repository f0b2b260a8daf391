// `executor connect`: writes Executor into the file of an agent's program, after showing what it writes.
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Command } from "commander"
import { Argument } from "commander"
import { executorCommand, executorProgram } from "../../../io/executor-command.ts"
import { readDataDir } from "../../../local/data-dir.ts"
import { clientFile, clientNames, entryText, withEntry } from "../config-import/client-file.ts"
import type { ClientEntry, ClientFile, ClientName, ProgramEntry } from "../config-import/client-file.ts"
import { act } from "../command-action.ts"
import type { CommandContext } from "../command-action.ts"
import { askYesNo } from "../prompt/prompt.ts"
import { safeLine, safeText } from "../../../core/text/safe.ts"
import { UsageError } from "../usage-error.ts"

type ConnectOptions = { readonly file?: string; readonly url?: string; readonly print?: boolean; readonly yes?: boolean }

const serverName = "executor"

export function configure(command: Command): void {
  command
    .description(
      "Connect an AI client: shows the entry for the client's config file and writes it once you confirm. The rest of the file is unchanged.",
    )
    .addArgument(new Argument("<client>", "The client.").choices(clientNames))
    .option("--file <path>", "A file to use instead of the client's default, such as a project's .mcp.json or .vscode/mcp.json.")
    .option(
      "--url <address>",
      "Connect to a running server by its address, such as https://tools.example.com. The client opens your browser, where you decide what it may use.",
    )
    .option("--print", "Print the entry without writing it.")
    .option("-y, --yes", "Write without asking for confirmation.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} connect claude\n  $ ${executorCommand} connect vscode --file .vscode/mcp.json\n  $ ${executorCommand} connect cursor --print\n  $ ${executorCommand} connect cursor --url https://tools.example.com\n`,
    )
  act<[ClientName], ConnectOptions>(command, ([client], options, context) => connect(client, options, context))
}

async function connect(client: ClientName, options: ConnectOptions, context: CommandContext): Promise<void> {
  const own = clientFile(client)
  const file = options.file === undefined ? own : { ...own, path: options.file }
  const entry = options.url === undefined ? ownEntry() : urlEntry(client, options.url)
  const before = readFile(file)
  const after = readable(file, () => withEntry(file, before, serverName, entry))
  const shown = entryText(file, serverName, entry)
  const report = (isWritten: boolean): void =>
    context.print({ client, file: file.path, entry, isWritten }, () => outcomeText(file, entry, before === after, isWritten))
  if (before === after) return report(false)
  if (!context.printsJson) context.screen.note(`In ${placeOf(file.path)}:\n\n${safeText(shown)}\n`)
  if (options.print === true) return context.printsJson ? report(false) : undefined
  if (options.yes !== true && !(await askYesNo({ message: "Write this?", flag: "--yes" }, context.screen)))
    throw new UsageError("Nothing was written")
  writeWhole(file.path, after)
  report(true)
}

function outcomeText(file: ClientFile, entry: ClientEntry, isThere: boolean, isWritten: boolean): string {
  if (isThere) return `${file.title} is already connected: ${file.path}`
  if (!isWritten) return ""
  const next = "url" in entry ? "sign in to 'executor' there, and decide in the browser" : "then ask it what it can do with Executor"
  return `Connected ${file.title}. Restart it, ${next}.`
}

/** The address of the server, or of one of its endpoints. */
function urlEntry(client: ClientName, text: string): ClientEntry {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "")
    throw new UsageError("--url must be the address of a server, such as https://tools.example.com")
  if (client === "claude-desktop")
    throw new UsageError("Claude Desktop takes addresses in Settings > Connectors, not in its file; add it there, or leave out --url")
  if (url.pathname === "/") url.pathname = "/mcp"
  return { url: url.href }
}

/** By whole paths, because clients start it in any directory; a data directory of one's own goes along. */
function ownEntry(): ProgramEntry {
  const dataDir = readDataDir(process.env)
  const isUsual = dataDir === readDataDir({ ...process.env, EXECUTOR_DATA_DIR: "" })
  return { ...executorProgram(["mcp"]), ...(isUsual ? {} : { env: { EXECUTOR_DATA_DIR: dataDir } }) }
}

/** A link is named with where it leads: that is the file which is written. */
function placeOf(path: string): string {
  const real = existsSync(path) ? realpathSync(path) : resolve(path)
  return real === resolve(path) ? safeLine(path) : `${safeLine(path)} (a link to ${safeLine(real)})`
}

const readFile = (file: ClientFile): string => (existsSync(file.path) ? readFileSync(file.path, "utf8") : "")

function readable<T>(file: ClientFile, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error)
    throw new UsageError(
      `${file.path} could not be read and was not changed (${reason}). Fix the file, or add the entry by hand: --print shows it`,
    )
  }
}

/** In one step, so that a client never reads half of it; through a link, which stays one; with the rights it had. */
function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const target = existsSync(path) ? realpathSync(path) : path
  const draft = join(dirname(target), `.executor-${process.pid}.tmp`)
  writeFileSync(draft, text, { mode: existsSync(target) ? statSync(target).mode & 0o777 : 0o600, flush: true })
  renameSync(draft, target)
}
