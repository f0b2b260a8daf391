// Completion scripts for bash, zsh and fish, made of the commands' outline. Paths of tools are asked for while typing.
import type { CommandOutline } from "./command-outline.ts"

export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

/** Commands whose words are paths of tools. */
const pathCommands = ["call", "tools describe", "policies explain"]

export function completionScript(shell: Shell, root: CommandOutline): string {
  const all = flatten(root)
  switch (shell) {
    case "bash":
      return bashScript(all)
    case "zsh":
      return `#compdef executor\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(all)}`
    case "fish":
      return fishScript(all)
  }
}

const flatten = (outline: CommandOutline): CommandOutline[] => [outline, ...outline.children.flatMap(flatten)]

const nameOf = (outline: CommandOutline): string => outline.words.join(" ")

/** The words that may follow a command. */
const nextWords = (outline: CommandOutline): string[] => [
  ...outline.children.map((child) => child.words.at(-1) ?? ""),
  ...outline.arguments.flatMap((argument) => argument.choices),
  ...outline.options.flatMap((option) => option.names),
]

/** `_executor_words <command>` prints what may follow; the longest run of words that is a command is the command. */
function bashScript(all: readonly CommandOutline[]): string {
  const cases = all.map((one) => `    ${quote(nameOf(one))}) echo ${quote(nextWords(one).join(" "))} ;;`)
  const choices = all.flatMap((one) =>
    one.options
      .filter((option) => option.choices.length > 0)
      .map((option) => `    ${quote(`${nameOf(one)} ${option.names.at(-1) ?? ""}`)}) echo ${quote(option.choices.join(" "))} ;;`),
  )
  return `# Completion of executor; load it with: source <(executor completion bash)
_executor_words() {
  case "$1" in
${cases.join("\n")}
    *) return 1 ;;
  esac
}
_executor_choices() {
  case "$1" in
${choices.join("\n")}
    *) return 1 ;;
  esac
}
_executor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    [[ "$word" == -* ]] && continue
    _executor_words "\${command:+$command }$word" > /dev/null && command="\${command:+$command }$word"
  done
  local words
  if words="$(_executor_choices "$command $previous")"; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  words="$(_executor_words "$command")"
  case "$command" in
    ${pathCommands.map(quote).join("|")})
      [[ "$current" == -* ]] || words="$("\${COMP_WORDS[0]}" complete-path "$current" 2> /dev/null)" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} == 1 && "\${COMPREPLY[0]}" == *. ]] && compopt -o nospace 2> /dev/null
  return 0
}
complete -o default -F _executor executor
`
}

function fishScript(all: readonly CommandOutline[]): string {
  const lines = all.flatMap((one) => {
    const here = `-n ${quote(`__executor_at '${nameOf(one)}'`)}`
    return [
      ...one.children.map((child) => `complete -c executor -f ${here} -a ${quote(child.words.at(-1) ?? "")} -d ${quote(child.summary)}`),
      ...one.arguments.flatMap(({ choices }) =>
        choices.length === 0 ? [] : [`complete -c executor -f ${here} -a ${quote(choices.join(" "))}`],
      ),
      ...one.options.map(({ names, takesValue, choices, description }) => {
        const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ")
        return `complete -c executor ${here} ${flags}${takesValue ? " -r" : ""}${choices.length > 0 ? ` -f -a ${quote(choices.join(" "))}` : ""} -d ${quote(description)}`
      }),
      ...(pathCommands.includes(nameOf(one))
        ? [`complete -c executor -f ${here} -a '(executor complete-path (commandline -ct) 2> /dev/null)'`]
        : []),
    ]
  })
  return `# Completion of executor; load it with: executor completion fish | source
function __executor_at
  set -l command
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    contains -- (string join ' ' $command $word) ${all
      .filter((one) => one.words.length > 0)
      .map((one) => quote(nameOf(one)))
      .join(" ")}; and set -a command $word
  end
  test "$(string join ' ' $command)" = "$argv[1]"
end
complete -c executor -f
${lines.join("\n")}
`
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
