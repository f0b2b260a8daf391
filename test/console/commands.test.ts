// The commands that pages show to be copied are commands that there are, with every word that they need.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { beforeAll, expect, test } from "vitest"
import { buildProgram } from "../../src/surfaces/cli/program.ts"

const pages = join(import.meta.dirname, "..", "..", "web", "src")

/** As a shell would hand them to the program; what a page fills in is a word. */
const wordsOf = (line: string): string[] =>
  [...line.replaceAll(/\$\{[^}]*\}/g, "x").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  )

const shown = globSync("**/*.tsx", { cwd: pages }).flatMap((file) =>
  [...readFileSync(join(pages, file), "utf8").matchAll(/<(?:Empty|Command)\b[^<]*?\b(?:command|text)=\{?(["'`])(.*?)\1/g)]
    .map(([, , line = ""]) => line)
    .filter((line) => /(?:^|\| )executor /.test(line))
    .map((line) => [file, line] as const),
)

let program: Command
beforeAll(async () => {
  program = await buildProgram("all")
})

test("they are found", () => {
  expect(shown.length).toBeGreaterThan(20)
})

test.each(shown)("%s: %s", (_, line) => {
  let words = wordsOf(line.replace(/^.*\| /, "")).slice(1)
  let command = program
  for (let next: Command | undefined = program; next !== undefined; next = command.commands.find((one) => one.name() === words[0])) {
    if (next !== program) words = words.slice(1)
    command = next
  }
  expect(command.commands, `${words.join(" ")} names no command of ${command.name()}`).toEqual([])
  const { operands, unknown } = command.parseOptions(words)
  expect(unknown.filter((word) => word !== "--help")).toEqual([])
  expect(operands.length).toBeGreaterThanOrEqual(command.registeredArguments.filter(({ required }) => required).length)
  for (const { long, mandatory, attributeName } of command.options)
    if (mandatory) expect(words, `${long ?? attributeName()} is missing`).toContain(long)
  // Code is a file or stdin, never a word of the line.
  if (command.name() === "run" && command.parent === program) expect(operands).toEqual(["-"])
})
