// Expands a policy's pattern that leaves out owner and connection, as every short path may.
//
// A rule that can fit no tool would be a block that does not block. So what can fit no full path is read as a short one:
// its second segment is no owner, or it ends before a tool could be named. One that ends there may also name a connection,
// as the first part of every address does; which of the two was meant, the catalog knows.
import { isOwner, owners } from "../core/address.ts"
import { compilePattern, isAnyDepth, matchesPattern } from "./match.ts"

/** Of `<integration>.<owner>.<connection>.<tool>`. */
const fullSegmentsMin = 4

/** `isFixed`: whether tools of this first segment have no connection, so that their patterns are whole as they are. */
export function widenShortPattern(pattern: string, isFixed: (slug: string) => boolean): string {
  const [integration = "", second, ...rest] = pattern.split(".")
  if (second === undefined || integration.includes("*") || isFixed(integration)) return pattern
  const isAnyLength = compilePattern(pattern).segments.some(isAnyDepth)
  const isShort = !namesOwner(second) || (!isAnyLength && rest.length + 2 < fullSegmentsMin)
  return isShort ? [integration, "*", "*", second, ...rest].join(".") : pattern
}

/** The pattern read as the name of a connection, or of all connections of an owner; null where it cannot be one. */
export function connectionPattern(pattern: string, isFixed: (slug: string) => boolean): string | null {
  const segments = pattern.split(".")
  const [integration = "", owner = ""] = segments
  const namesConnection = segments.length >= 2 && segments.length < fullSegmentsMin && isOwner(owner)
  if (!namesConnection || integration.includes("*") || isFixed(integration)) return null
  return compilePattern(pattern).segments.some(isAnyDepth) ? null : `${pattern}.**`
}

const namesOwner = (segment: string): boolean => segment === "**" || owners.some((owner) => matchesPattern(compilePattern(segment), owner))
