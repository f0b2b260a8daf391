// What a provider said of somebody when they last signed in, and what became of it: kept for admins, and bounded.
import type { SignInRecord, SignInTested } from "../../core/people/sign-in.ts"
import type { Principal } from "../../core/principal.ts"
import { requireAdmin } from "../../core/principal.ts"
import { userOf } from "../people/users.ts"
import type { IdentityParts } from "../token-create.ts"

type Person = { readonly tenant: string; readonly provider: string; readonly issuer: string; readonly subject: string }

/** Nothing is kept of somebody who is not a user. */
export async function keepSignIn({ tenant, ...person }: Person, result: SignInTested, parts: IdentityParts): Promise<void> {
  const { claims, isComplete } = bounded(result.claims, parts.limits.signInClaimsBytesMax)
  const record: SignInRecord = { ...person, at: parts.clock.now().toISOString(), ...result, claims, isComplete }
  await parts.store.identities.signedIn({ tenant, ...person }, JSON.stringify(record))
}

export async function listSignIns(principal: Principal, id: string, parts: IdentityParts): Promise<SignInRecord[]> {
  requireAdmin(principal, "read what providers say of people")
  const scope = { tenant: principal.tenant, user: id }
  await userOf(scope, parts)
  const records = await parts.store.identities.signIns(scope)
  return records.map((text) => JSON.parse(text) as SignInRecord) // written above alone
}

/** In the provider's order, without those that there is no room for. */
function bounded(claims: SignInTested["claims"], bytesMax: number): Pick<SignInRecord, "claims" | "isComplete"> {
  let bytes = 0
  const kept = Object.entries(claims).filter(([name, value]) => {
    const size = Buffer.byteLength(JSON.stringify({ [name]: value }))
    if (bytes + size > bytesMax) return false
    bytes += size
    return true
  })
  return { claims: Object.fromEntries(kept), isComplete: kept.length === Object.keys(claims).length }
}
