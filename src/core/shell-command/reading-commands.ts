// Commands that change nothing, whoever calls them with whatever file names, and those of which it depends on the options.
import type { ShellWord } from "./parse.ts"

/** They have no option that writes or starts a program. */
const alwaysReads = new Set(
  (
    "cat cd cut echo expr false grep egrep fgrep head id ls nl paste pwd rev seq stat tail tr true uname wc which whoami " +
    "numfmt tac basename dirname realpath readlink md5sum sha1sum sha256sum sha512sum cmp comm fold printenv df du groups nproc arch cksum od"
  ).split(" "),
)

type Rule = (args: readonly string[]) => boolean

const isOption = (arg: string): boolean => arg.startsWith("-") && arg !== "-"
const has = (args: readonly string[], pattern: RegExp): boolean => args.some((arg) => pattern.test(arg))

const rules: Readonly<Record<string, Rule>> = {
  base64: (args) => !has(args, /^-o|^--output/),
  diff: (args) => !has(args, /^--paginate|^-[a-zA-Z]*l|^--output/),
  find: (args) => !has(args, /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/),
  rg: (args) => !has(args, /^--pre|^--hostname-bin|^--search-zip$|^-[^-]*z/),
  sort: (args) => args.every((arg) => !isOption(arg) || /^-(?:[bdfgiMhnRrVzcCsu]+|k\S+|t.)$/.test(arg)),
  // Shells calculate with some of its words, and run what stands in `$(…)` inside of an index.
  test: (args) => !has(args, /[[$`(]/),
  "[": (args) => !has(args, /[[$`(]/),
  // The second file would be written.
  uniq: (args) => args.filter((arg) => !isOption(arg)).length <= 1,
  sed: (args) => args.length <= 3 && args[0] === "-n" && /^\d+(?:,\d+)?p$/.test(args[1] ?? "") && !isOption(args[2] ?? ""),
  git: readsGit,
  // The program's own answer to what it is.
  node: (args) => isVersion(args),
  npm: (args) => isVersion(args),
  python3: (args) => isVersion(args),
  python: (args) => isVersion(args),
}

const isVersion = (args: readonly string[]): boolean => args.length === 1 && (args[0] === "--version" || args[0] === "-v")

/** Options before the subcommand can name programs, and so can some of the subcommands' own. */
function readsGit([subcommand = "", ...args]: readonly string[]): boolean {
  if (has(args, /^--(?:output|ext-diff|textconv|exec|upload-pack|open-files-in-pager)|^-O/)) return false
  if (
    ["status", "log", "diff", "show", "rev-parse", "ls-files", "blame", "shortlog", "describe", "cat-file", "ls-tree"].includes(subcommand)
  )
    return true
  if (subcommand === "branch") return args.every((arg) => /^(?:-a|-r|-v|-vv|--all|--remotes|--list|--show-current)$/.test(arg))
  if (subcommand === "remote") return args.length === 0 || (args.length === 1 && args[0] === "-v")
  return false
}

export function onlyReads([program, ...args]: readonly ShellWord[]): boolean {
  if (program === undefined || program.isPattern) return false
  const name = programName(program.text)
  if (name === null) return false
  if (alwaysReads.has(name)) return true
  // The name of a file could be an option, unless the pattern begins otherwise.
  if (args.some(({ text, isPattern }) => isPattern && /^[-*?[]/.test(text))) return false
  // Nor is it known how many names a pattern stands for.
  if (name === "uniq" && args.some(({ isPattern }) => isPattern)) return false
  return Object.hasOwn(rules, name) && rules[name]?.(args.map(({ text }) => text)) === true
}

/** A program of the system; one in another folder may do anything. */
export function programName(text: string): string | null {
  const name = /^(?:\/usr)?(?:\/local)?\/s?bin\/([^/]+)$/.exec(text)?.[1] ?? text
  return name.includes("/") ? null : name
}
