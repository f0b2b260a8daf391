// What a shell command does, as far as its words prove it: the effect of a call of `shell`, from its arguments.
import type { Effect } from "../tool.ts"
import { parsePlainScript } from "./parse.ts"
import type { ShellWord } from "./parse.ts"
import { onlyReads, programName } from "./reading-commands.ts"

/**
 * `read` only if every part of the command is known to change nothing. A command that is not understood may do anything, so it
 * counts as `destroy`, and so does one that deletes or overwrites. What is left is a `write`.
 */
export function effectOfCommand(command: readonly string[]): Effect {
  const parts = partsOf(command)
  if (parts === null) return "destroy"
  if (parts.every(onlyReads)) return "read"
  return parts.some(mayDestroy) ? "destroy" : "write"
}

const shells = new Set(["sh", "bash", "zsh", "dash"])

/** A script given to a shell is its commands; anything else is one command. */
function partsOf(command: readonly string[]): readonly (readonly ShellWord[])[] | null {
  const [program, option, script] = command
  if (program === undefined) return null
  const isShell = shells.has(programName(program) ?? "")
  if (!isShell) return [command.map((text) => ({ text, isPattern: false }))]
  return command.length === 3 && script !== undefined && /^-(?:c|lc|cl)$/.test(option ?? "") ? parsePlainScript(script) : null
}

/** They delete or overwrite, run what other words say, or act as somebody else. */
const destroying = new Set(
  (
    "rm rmdir unlink shred dd mkfs truncate mv kill pkill killall fdisk parted wipefs sudo su doas env xargs eval exec source . " +
    "nohup setsid timeout nice watch parallel ssh scp rsync chroot unshare nsenter bwrap sh bash zsh dash busybox"
  ).split(" "),
)

/** Code given as an argument. */
const interpreters = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|mawk|osascript)$/

function mayDestroy([program, ...args]: readonly ShellWord[]): boolean {
  if (program === undefined || program.isPattern) return true
  const name = programName(program.text) ?? ""
  if (destroying.has(name) || name.startsWith("mkfs.") || interpreters.test(name)) return true
  const texts = args.map(({ text }) => text)
  if (name === "find") return texts.some((text) => /^-(?:exec|execdir|ok|okdir|delete)$/.test(text))
  if (name === "git") return destroysInGit(texts)
  return texts.some((text) => /^(?:--delete|--force|--hard|--prune)$/.test(text))
}

function destroysInGit(args: readonly string[]): boolean {
  const subcommand = args.find((arg) => !arg.startsWith("-")) ?? ""
  if (args[0] !== subcommand) return true
  if (["clean", "reset", "restore", "rm", "gc", "prune", "filter-branch", "filter-repo", "reflog", "update-ref"].includes(subcommand))
    return true
  if (["push", "checkout", "switch", "branch", "tag", "stash", "worktree"].includes(subcommand))
    return args.some((arg) =>
      /^(?:-f|-D|-d|-M|--force.*|--delete|--discard-changes|--mirror|--prune|--|drop|clear|remove|\.|:.*)$/.test(arg),
    )
  return false
}
