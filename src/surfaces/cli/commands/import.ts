// `executor import`: takes over the MCP servers that Claude, Cursor, VS Code or Codex are configured with.
import { executorCommand } from "../../../io/executor-command.ts"
import { basename } from "node:path"
import type { Command } from "commander"
import { parseMcpConfig } from "../config-import/parse.ts"
import type { ImportedConfig } from "../config-import/parse.ts"
import { actWithExecutor } from "../command-action.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { exitCodes } from "../exit-code.ts"
import type { ExitCode } from "../exit-code.ts"
import { importServer } from "../config-import/import-server.ts"
import type { ImportLine } from "../config-import/import-server.ts"
import { readInput } from "../prompt/input-read.ts"
import { collect } from "../option-parse.ts"
import { withProgress } from "../print/progress.ts"
import { formatTable } from "../print/table.ts"
import type { Column } from "../print/table.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { UsageError } from "../usage-error.ts"

type ImportOptions = { readonly dryRun?: boolean; readonly only?: readonly string[] }

const columns: readonly Column<ImportLine>[] = [
  { title: "STATUS", value: (line) => line.status },
  { title: "SERVER", value: (line) => line.name },
  { title: "SLUG", value: (line) => line.slug ?? "", keeps: true },
  { title: "WHAT", value: (line) => line.detail },
]

export function configure(command: Command): void {
  command
    .description("Import MCP servers from the config of Claude, Cursor, VS Code or Codex, and connect them.")
    .argument(
      "<file>",
      "claude_desktop_config.json, ~/.claude.json, .mcp.json, .cursor/mcp.json, .vscode/mcp.json, ~/.codex/config.toml, or `-` for stdin.",
    )
    .option("--dry-run", "Show the changes without making them.")
    .option("--only <name>", "Only this server. Can be repeated.", collect)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} import ~/.codex/config.toml --dry-run\n  $ ${executorCommand} import .vscode/mcp.json --only github\n`,
    )
  actWithExecutor<[string], ImportOptions>(command, ([file], options, context) => runImport(file, options, context))
}

async function runImport(file: string, options: ImportOptions, context: ExecutorCommandContext): Promise<ExitCode> {
  const text = await readInput(file === "-" ? file : `@${file}`, "The config")
  const config = choose(parseMcpConfig(text, file === "-" ? "stdin" : basename(file), process.env), options.only)
  const lines: ImportLine[] = config.problems.map(({ name, status, reason }) => ({
    name,
    slug: null,
    status: status === "disabled" ? "skipped" : "failed",
    detail: reason,
    notes: [],
  }))
  for (const server of config.servers) {
    const work = (): Promise<ImportLine> => importServer(server, options.dryRun === true ? "dry" : "real", context)
    // What asks a person something shows no progress meanwhile.
    lines.push(server.inputs.length > 0 ? await work() : await withProgress(`Importing ${safeLine(server.name)}`, context.screen, work))
  }
  context.print({ servers: lines }, () =>
    formatTable(columns, lines, { columns: context.screen.columns, heading: context.screen.out.bold }),
  )
  if (!context.printsJson)
    for (const line of lines) for (const note of line.notes) context.screen.note(`${safeLine(line.name)}: ${safeLine(note)}`)
  return lines.some((line) => line.status === "failed") ? exitCodes.failed : exitCodes.done
}

function choose(config: ImportedConfig, only: readonly string[] | undefined): ImportedConfig {
  if (only === undefined) return config
  const names = [...config.servers, ...config.problems].map((one) => one.name)
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new UsageError(`The config has no server '${unknown}'. Servers in it: ${[...new Set(names)].join(", ")}`)
  return {
    servers: config.servers.filter(({ name }) => only.includes(name)),
    problems: config.problems.filter(({ name }) => only.includes(name)),
  }
}
