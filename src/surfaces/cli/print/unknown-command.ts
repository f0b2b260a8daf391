// Says which command is meant where somebody types another word for it.
import type { Command } from "commander"

/** Words for one operation: every group of commands has at most one of each. */
const sameOperation: readonly (readonly string[])[] = [
  ["add", "create", "new"],
  ["remove", "delete", "revoke", "end", "rm"],
  ["show", "describe", "get"],
  ["update", "edit"],
]

/** What is looked for at the top, and stands elsewhere. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["search", "tools search"],
  ["describe", "tools describe"],
  ["start", "serve"],
  ["login", "web"],
  ["version", "--version"],
])

/** `text`: Commander's message, whose own suggestion goes by letters alone: "update" for "create". */
export function withMeantCommand(text: string, group: Command): string {
  const [said, word = ""] = /unknown command '([\w-]+)'(?:\s+\(Did you mean [^)]*\))?/.exec(text) ?? []
  const names = new Set(group.commands.map((command) => command.name()))
  const verbs = sameOperation.find((words) => words.includes(word))
  const meant = group.parent === null ? elsewhere.get(word) : verbs?.find((verb) => names.has(verb))
  return said === undefined || meant === undefined ? text : text.replace(said, `unknown command '${word}'\n(Did you mean ${meant}?)`)
}
