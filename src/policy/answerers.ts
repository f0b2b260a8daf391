// Who may answer an approval: whom the rules name, or else whoever may answer for the requester.
import type { Right } from "../core/people/role.ts"
import { approvePrefix } from "../core/people/role.ts"
import type { ApprovalBy } from "../core/policy.ts"
import { compilePattern, matchesPattern } from "./match.ts"

/** A human, as they are at this moment. */
export type Answerer = { readonly user: string; readonly roles: readonly string[]; readonly rights: readonly Right[] }

export type AskedApproval = {
  /** `<integration>.<tool>`, or a static tool's fqid. */
  readonly subject: string
  /** The human who is asked for themselves and for their agents; null for a service account, which is nobody to ask. */
  readonly human: string | null
  /** Who made the request: the acting user, and whoever made its token. */
  readonly requesters: readonly string[]
  /** Each of them must hold. */
  readonly by: readonly ApprovalBy[]
}

export function mayAnswer(answerer: Answerer, asked: AskedApproval): boolean {
  if (!asked.by.every((one) => isNamed(answerer, one, asked.requesters))) return false
  // Whoever holds the role that a rule names needs no right besides.
  return asked.by.some(({ role }) => role !== undefined) || isAsked(answerer, asked)
}

/** Without a rule that names somebody: the human who is asked, admins, and holders of `approve:` for this tool. */
export function isAsked({ user, rights }: Answerer, { human, subject }: AskedApproval): boolean {
  return user === human || rights.includes("admin") || mayApproveOthers(rights, subject)
}

const isNamed = ({ user, roles }: Answerer, by: ApprovalBy, requesters: readonly string[]): boolean =>
  (by.role === undefined || roles.includes(by.role)) && (by.notRequester !== true || !requesters.includes(user))

const mayApproveOthers = (rights: readonly Right[], subject: string): boolean =>
  rights.some((right) => right.startsWith(approvePrefix) && matchesPattern(compilePattern(right.slice(approvePrefix.length)), subject))

/** Without duplicates. */
export const joinBy = (...lists: readonly (readonly ApprovalBy[])[]): ApprovalBy[] => [
  ...new Map(lists.flat().map((by) => [JSON.stringify([by.role ?? null, by.notRequester ?? false]), by])).values(),
]

/** `somebody with the role 'finance' other than alice`. */
export function whoText(by: readonly ApprovalBy[], requesters: readonly string[] = []): string {
  const roles = [...new Set(by.flatMap(({ role }) => role ?? []))].map((role) => `'${role}'`)
  const others = requesters.length === 0 ? "the requester" : requesters.join(" and ")
  const who =
    roles.length === 0
      ? "an admin or somebody with the right to approve it"
      : `somebody with the role${roles.length === 1 ? "" : "s"} ${roles.join(" and ")}`
  return by.some(({ notRequester }) => notRequester === true) ? `${who}, other than ${others}` : who
}
