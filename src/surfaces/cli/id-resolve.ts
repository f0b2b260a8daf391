// An id as people type it: whole, or as much of its beginning as makes it the only one.
import { executorCommand } from "../../io/executor-command.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import { safeLine } from "../../core/text/safe.ts"
import { UsageError } from "./usage-error.ts"

const kinds = {
  exe: { name: "execution", list: "executions list" },
  apr: { name: "approval", list: "approvals list" },
  pol: { name: "policy", list: "policies list" },
  tok: { name: "token", list: "tokens list" },
  ses: { name: "session", list: "sessions list" },
  inv: { name: "invitation", list: "invitations list" },
} as const

export type IdKind = keyof typeof kinds

export const listCommandOf = (kind: IdKind): string => kinds[kind].list

const isWhole = /^[a-z]{3}_[0-9a-z]{30}$/
const isIdText = /^[0-9a-z_]+$/i

/** `accepted`: what the command can do something with. Without its kind in front, the beginning may be of any of them. */
export async function resolveId(word: string, accepted: readonly [IdKind, ...IdKind[]], api: ExecutorApi): Promise<string> {
  const kind = accepted.find((one) => word.startsWith(`${one}_`))
  if (kind !== undefined && isWhole.test(word)) return word
  const other = (Object.keys(kinds) as IdKind[]).find((one) => word.startsWith(`${one}_`)) // its own keys
  if (kind === undefined && other !== undefined)
    throw new UsageError(`'${safeLine(word)}' is the id of ${aOr([other])}; this command takes that of ${aOr(accepted)}`)
  const prefixes = kind === undefined ? accepted.map((one) => `${one}_${word}`) : [word]
  const found = isIdText.test(word) ? (await Promise.all(prefixes.map((prefix) => api.ids.find(prefix)))).flat() : []
  const [first, ...more] = found.includes(word) ? [word] : found
  if (first === undefined) throw notFound(word, accepted)
  if (more.length > 0)
    throw new UsageError(`'${safeLine(word)}' is the beginning of several ids; give more of one of them:\n  ${found.join("\n  ")}`)
  return first
}

const aOr = (some: readonly IdKind[]): string =>
  some.map((one) => `${/^[aeiou]/.test(kinds[one].name) ? "an" : "a"} ${kinds[one].name}`).join(" or ")

function notFound(word: string, accepted: readonly [IdKind, ...IdKind[]]): ExecutorError {
  const lists = accepted.map((one) => `${executorCommand} ${kinds[one].list}`).join(" or ")
  const names = accepted.map((one) => kinds[one].name).join(" or ")
  return new ExecutorError("not_found", `There is no ${names} '${safeLine(word).slice(0, 80)}'; see ${lists}`)
}
