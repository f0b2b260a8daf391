// Checks the fields of users, roles, tenants and tokens.
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import { approvePrefix, plainRights } from "../../core/people/role.ts"
import type { PlainRight, Right, Role } from "../../core/people/role.ts"
import { anonymousUser } from "../../core/principal.ts"
import { normalizeRolePattern } from "../../policy/match.ts"

/** Without `_`, which the ids of tokens have, and `:`, which stands between the parts of references. */
const idPattern = /^[a-z0-9][a-z0-9.-]{0,62}$/
const emailPattern = /^[^\s@:<>"]{1,64}@[^\s@:<>"]{1,190}$/
const control = /\p{C}/u

export function checkId(noun: "user" | "role" | "tenant", id: string): string {
  if (typeof id !== "string" || !idPattern.test(id))
    throw invalid(
      `${quote(id)} is not the id of a ${noun}: write up to 63 lower-case letters, digits, dots and hyphens, as in ${examples[noun]}`,
    )
  if (noun === "user" && id === anonymousUser)
    throw invalid(`A user cannot be called '${anonymousUser}': the audit uses it for whoever did not sign in`)
  return id
}

const examples = { user: "anna.lee", role: "developer", tenant: "acme" } as const

/** An id made of what is known of somebody; `isTaken` says which are not free. */
export function suggestId(
  { email, name }: { readonly email: string | null; readonly name: string },
  isTaken: (id: string) => boolean,
): string {
  const base = idFrom(email?.split("@")[0] ?? "") || idFrom(name) || "user"
  const isFree = (id: string): boolean => id !== anonymousUser && !isTaken(id)
  if (isFree(base)) return base
  for (let count = 2; ; count += 1) if (isFree(`${base}-${count}`)) return `${base}-${count}`
}

const idFrom = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ".")
    .replace(/^\.+|\.+$/g, "")
    .slice(0, 50)
    .replace(/\.+$/, "")

export function checkName(text: string, limits: Limits): string {
  const name = typeof text === "string" ? text.trim() : ""
  if (name === "" || name.length > limits.nameCharsMax || control.test(name))
    throw invalid(`A name must have 1 to ${limits.nameCharsMax} characters on one line`)
  return name
}

export function checkDescription(text: string, limits: Limits): string {
  if (text.length > limits.nameCharsMax) throw invalid(`A description must have at most ${limits.nameCharsMax} characters`)
  return text.trim()
}

/** Addresses are compared without case. */
export function checkEmail(text: string | null): string | null {
  if (text === null) return null
  const email = text.trim().toLowerCase()
  if (!emailPattern.test(email) || control.test(email)) throw invalid(`${quote(text)} is not an e-mail address, such as anna@example.com`)
  return email
}

export function checkRoleIds(ids: readonly string[], roles: ReadonlyMap<string, Role>, limits: Limits): string[] {
  const unique = [...new Set(ids)]
  if (unique.length > limits.rolesPerUserMax) throw invalid(`A user can have at most ${limits.rolesPerUserMax} roles`)
  const unknown = unique.find((id) => !roles.has(id))
  if (unknown !== undefined) throw invalid(`There is no role ${quote(unknown)}; there are ${[...roles.keys()].slice(0, 20).join(", ")}`)
  return unique
}

export function checkPatterns(patterns: readonly string[], limits: Limits): string[] {
  if (patterns.length > limits.rolePatternsMax) throw invalid(`There can be at most ${limits.rolePatternsMax} patterns`)
  return [...new Set(patterns.map((pattern) => normalizeRolePattern(pattern)))]
}

export function checkRights(rights: readonly string[], limits: Limits): Right[] {
  if (rights.length > limits.rolePatternsMax) throw invalid(`There can be at most ${limits.rolePatternsMax} rights`)
  return [...new Set(rights.map(checkRight))]
}

function checkRight(right: string): Right {
  if (right.startsWith(approvePrefix)) return `${approvePrefix}${normalizeRolePattern(right.slice(approvePrefix.length))}`
  if (isPlainRight(right)) return right
  throw invalid(`${quote(right)} is not a right; there are ${plainRights.join(", ")} and ${approvePrefix}<pattern>`)
}

const isPlainRight = (right: string): right is PlainRight => plainRights.some((one) => one === right)

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)

const quote = (text: unknown): string => JSON.stringify(String(text).slice(0, 80))
