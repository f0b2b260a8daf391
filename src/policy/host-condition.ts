// The conditions that limit an allowance to the host of one address.
//
// `like` compares texts. A pattern of the origin, a slash and `*` fits only texts that begin with exactly that origin and
// the slash, where the authority of a URL ends: neither `https://host.evil/` nor `https://host@evil/` begins so. A host
// can hold a `*` of its own, which would be a wildcard; then the address itself is all that is allowed.
import { defaultLimits } from "../core/limits.ts"
import type { PolicyCondition } from "../core/policy.ts"

export function hostCondition(arg: string, address: unknown): PolicyCondition {
  const text = typeof address === "string" ? address : ""
  const url = URL.parse(text)
  const pattern = `${url?.origin}/*`
  const isOrigin = url !== null && (url.protocol === "https:" || url.protocol === "http:") && !/[*?]/.test(url.origin)
  if (isOrigin && pattern.length <= defaultLimits.policyLikeCharsMax) return { arg, op: "like", value: pattern }
  // What is cut fits nothing, and so allows nothing.
  return { arg, op: "eq", value: text.slice(0, defaultLimits.policyTextCharsMax) }
}

/** Whoever allowed a read there has not allowed a deletion: where the caller names the method, it stays the same. */
export function hostConditions(arg: string, args: Readonly<Record<string, unknown>>): PolicyCondition[] {
  const { method } = args
  return [hostCondition(arg, args[arg]), ...(typeof method === "string" ? [{ arg: "method", op: "eq", value: method } as const] : [])]
}
