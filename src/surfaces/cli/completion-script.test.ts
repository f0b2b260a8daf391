// The completion scripts load in their shell and offer what the commands are.
import { execFileSync } from "node:child_process"
import { beforeAll, expect, test } from "vitest"
import { outlineCommands } from "./command-outline.ts"
import type { CommandOutline } from "./command-outline.ts"
import { completionScript } from "./completion-script.ts"

let root: CommandOutline
beforeAll(async () => {
  root = await outlineCommands()
})

/** What bash would offer behind these words. */
function complete(line: string): string[] {
  const words = line.split(" ")
  const script = `
    executor() { [[ "$1" == complete-path && "$2" == "orders." ]] && printf 'orders.list\\norders.items.\\n'; }
    source /dev/stdin <<'SCRIPT'
${completionScript("bash", root)}
SCRIPT
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
    _executor; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    .split("\n")
    .filter((one) => one !== "")
}

test.each([
  ["executor in", ["integrations", "invitations"]],
  ["executor integrations ", expect.arrayContaining(["add", "list", "show", "remove", "--help"])],
  ["executor integrations add --sl", ["--slug"]],
  ["executor policies add x ", expect.arrayContaining(["allow", "require_approval", "block"])],
  ["executor run --results ", ["envelope", "raw"]],
  ["executor call --ar", ["--arg"]],
  ["executor call orders.", ["orders.list", "orders.items."]],
  ["executor tools describe orders.", ["orders.list", "orders.items."]],
  ["executor nonsense ", expect.arrayContaining(["call", "run"])],
])("bash: %s", (line, offered) => {
  expect(complete(line)).toEqual(offered)
})

test("hidden commands are not offered", () => {
  expect(complete("executor comp")).toEqual(["completion"])
})

test("zsh loads the same, and fish has a line for each command and option", () => {
  expect(completionScript("zsh", root)).toMatch(/^#compdef executor\n[\s\S]*complete -o default -F _executor executor/)
  const fish = completionScript("fish", root)
  expect(fish).toContain(`-n '__executor_at '\\''tools'\\''' -a 'search' -d 'Find tools by what they do.'`)
  expect(fish).toContain("-l namespace")
  expect(fish).toContain("executor complete-path (commandline -ct)")
})
