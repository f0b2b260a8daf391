// Decides by a provider's claims whether somebody may sign in, and which roles they get.
//
// Nobody gets rights without a value that an admin named: the default role and rules that match everything give only
// roles that carry none, also when the role was given rights later.
import type { Role } from "../core/people/role.ts"
import type { SignInTerms } from "../core/people/sign-in.ts"
import { matchesEverything, matchesGlob, readClaim, verifiedEmail } from "./sign-in-claims.ts"
import type { Claims } from "./sign-in-claims.ts"

export type SignInVerdict = {
  /** Verified. */
  readonly email: string | null
  readonly values: readonly string[]
  /** Empty: neither a rule nor a default role applies, so that only roles given by hand can let them in. */
  readonly roles: readonly string[]
  readonly refusal: SignInRefusal | null
}

export type SignInRefusal = {
  readonly reason: "email_unverified" | "domain" | "overage" | "value"
  readonly message: string
}

type Roles = ReadonlyMap<string, Pick<Role, "rights">>

export function decideSignIn(terms: SignInTerms, claims: Claims, roles: Roles): SignInVerdict {
  const email = verifiedEmail(claims)
  const read = readClaim(claims, terms.claim)
  const values = read.kind === "values" ? read.values : []
  const refusal = refuseEmail(terms, claims, email) ?? refuseOverage(terms, read.kind) ?? refuseValue(terms, values)
  return { email, values, roles: refusal === null ? rolesFor(terms, values, roles) : [], refusal }
}

/** Whether the values of the claim decide anything. */
export const needsValues = ({ rules, allow }: Pick<SignInTerms, "rules" | "allow">): boolean =>
  rules.some(({ value }) => !matchesEverything(value)) || allow.values !== undefined

function rolesFor({ rules, defaultRole }: SignInTerms, values: readonly string[], roles: Roles): string[] {
  const carriesRights = (id: string): boolean => (roles.get(id)?.rights.length ?? 0) > 0
  const matched = rules.flatMap((rule) => {
    if (matchesEverything(rule.value)) return rule.roles.filter((id) => !carriesRights(id))
    return values.some((value) => matchesGlob(rule.value, value)) ? rule.roles : []
  })
  const known = [...new Set(matched)].filter((id) => roles.has(id))
  if (known.length > 0 || defaultRole === undefined) return known
  return roles.has(defaultRole) && !carriesRights(defaultRole) ? [defaultRole] : []
}

function refuseEmail({ allow }: SignInTerms, claims: Claims, email: string | null): SignInRefusal | null {
  const isDenied = claims["email_verified"] === false || claims["email_verified"] === "false"
  if (isDenied && claims["email"] !== undefined)
    return {
      reason: "email_unverified",
      message: "Your e-mail address is not verified at the provider. Verify it there, then sign in again",
    }
  if (allow.domains === undefined) return null
  if (email === null)
    return {
      reason: "email_unverified",
      message: "The provider does not vouch for an e-mail address of yours, and only some domains may sign in here. Ask an admin",
    }
  const domain = email.slice(email.lastIndexOf("@") + 1)
  if (allow.domains.some((one) => one.toLowerCase() === domain)) return null
  return { reason: "domain", message: `People of ${domain} may not sign in here. Use the account of your organization, or ask an admin` }
}

function refuseOverage(terms: SignInTerms, kind: "values" | "absent" | "overage"): SignInRefusal | null {
  if (kind !== "overage" || !needsValues(terms)) return null
  return {
    reason: "overage",
    message: `You are in so many groups that the provider left '${terms.claim}' out of its answer (Microsoft Entra does so above 200). Ask an admin to use app roles instead (claim 'roles'), or to send only the groups that are assigned to the application`,
  }
}

function refuseValue({ allow, claim }: SignInTerms, values: readonly string[]): SignInRefusal | null {
  const globs = allow.values
  if (globs === undefined || values.some((value) => globs.some((glob) => matchesGlob(glob, value)))) return null
  return { reason: "value", message: `None of your values of '${claim}' at the provider may sign in here. Ask an admin for access` }
}
