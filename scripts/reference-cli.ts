// The reference of the command line, made of the commands themselves.
import { executorCommand } from "../src/io/executor-command.ts"
import { outlineCommands } from "../src/surfaces/cli/command-outline.ts"
import type { CommandOutline } from "../src/surfaces/cli/command-outline.ts"

export async function cliReference(): Promise<string> {
  const root = await outlineCommands()
  const lines = [
    "# Command line",
    "",
    "Generated from `src/surfaces/cli/commands/`. Data goes to stdout, everything else to stderr; `--json` prints what the API answers.",
    "",
    "Every command uses the server that `EXECUTOR_ORIGIN` names (as the principal of `EXECUTOR_TOKEN`), else the one that runs on this data",
    "directory; where none runs, it does its work by itself. It asks questions at a terminal only, and names the flag that answers elsewhere.",
    "",
    "| exit code | meaning |",
    "| --- | --- |",
    "| 0 | done |",
    "| 1 | failed |",
    "| 2 | wrong usage |",
    "| 3 | paused: it waits for a human |",
    "| 4 | not found |",
    "| 5 | denied |",
    "| 6 | no server answers at `EXECUTOR_ORIGIN` |",
    "",
    ...leaves(root).flatMap(section),
  ]
  // The help names the command as it is typed here; the reference is for readers everywhere.
  return lines.join("\n").replaceAll(executorCommand, "executor")
}

const leaves = (outline: CommandOutline): CommandOutline[] => (outline.children.length === 0 ? [outline] : outline.children.flatMap(leaves))

function section(outline: CommandOutline): string[] {
  return [
    `## ${outline.words.join(" ")}`,
    "",
    outline.description,
    "",
    "```",
    outline.usage,
    "```",
    "",
    ...table(
      "argument",
      outline.arguments.map((one) => [one.name, withChoices(one)]),
    ),
    ...table(
      "option",
      outline.options
        .filter((one) => !one.names.includes("--help") || one.description !== "Show this help.")
        .map((one) => [one.flags, withChoices(one)]),
    ),
    ...(outline.examples === "" ? [] : ["```sh", ...exampleLines(outline.examples), "```", ""]),
  ]
}

const withChoices = ({ description, choices }: { description: string; choices: readonly string[] }): string =>
  choices.length === 0 ? description : `${description} One of ${choices.map((one) => `\`${one}\``).join(", ")}.`

function table(heading: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return []
  const cell = (text: string): string => text.replaceAll("|", String.raw`\|`)
  return [`| ${heading} | |`, "| --- | --- |", ...rows.map(([name, text]) => `| \`${cell(name)}\` | ${cell(text)} |`), ""]
}

/** The commands alone, as one would paste them. */
const exampleLines = (examples: string): string[] =>
  examples
    .split("\n")
    .filter((line) => line.startsWith("  $ "))
    .map((line) => line.slice(4))
