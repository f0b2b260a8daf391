// Reads the values of a provider's claims that sign-in rules match.
import { isRecord } from "../core/json/record.ts"

export type Claims = Readonly<Record<string, unknown>>

/** `overage`: the provider left the values out, because there are too many of them. */
export type ClaimValues =
  | { readonly kind: "values"; readonly values: readonly string[] }
  | { readonly kind: "absent" }
  | { readonly kind: "overage" }

/** People in thousands of groups exist. */
const valuesMax = 5000

/** `path`: the claim's own name, which may have dots; a dotted path; or a JSON pointer. */
export function readClaim(claims: Claims, path: string): ClaimValues {
  const found = path.startsWith("/") ? follow(claims, pointerOf(path)) : (own(claims, path) ?? follow(claims, path.split(".")))
  if (typeof found === "string") return { kind: "values", values: [found] }
  if (Array.isArray(found)) return { kind: "values", values: found.filter((value) => typeof value === "string").slice(0, valuesMax) }
  return hasOverage(claims, path) ? { kind: "overage" } : { kind: "absent" }
}

const pointerOf = (path: string): string[] =>
  path
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))

const follow = (claims: Claims, path: readonly string[]): unknown => path.reduce<unknown>(own, claims)

/** Only what the provider wrote: a path such as `constructor.name` leads nowhere. */
const own = (value: unknown, name: string): unknown => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined)

/** Microsoft Entra names the claims that did not fit, or says only that there are groups. */
function hasOverage(claims: Claims, path: string): boolean {
  const [name = ""] = path.startsWith("/") ? pointerOf(path) : path.split(".")
  const named = own(claims, "_claim_names")
  return own(named, name) !== undefined || (name === "groups" && (claims["hasgroups"] === true || claims["hasgroups"] === "true"))
}

/** `*` stands for any characters, also none; everything else for itself. In linear time: the values are a stranger's. */
export function matchesGlob(glob: string, value: string): boolean {
  const [first = "", ...rest] = glob.split("*")
  const last = rest.pop()
  if (last === undefined) return value === glob
  if (!value.startsWith(first) || value.length < first.length + last.length || !value.endsWith(last)) return false
  const middle = value.slice(first.length, value.length - last.length)
  let at = 0
  for (const part of rest) {
    const found = middle.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return true
}

export const matchesEverything = (glob: string): boolean => /^\*+$/.test(glob)

/** Null where there is none, or the provider has not verified it. */
export function verifiedEmail(claims: Claims): string | null {
  const email = claims["email"]
  const isVerified = claims["email_verified"] === true || claims["email_verified"] === "true"
  return isVerified && typeof email === "string" && /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? email.toLowerCase() : null
}
