// Makes a policy's pattern whole that leaves out owner and connection, as every short path does.
//
// A rule that can fit no tool would be a block that does not block. So what can fit no full path is read as a short one:
// its second segment is no owner, or it ends before a tool could be named.
import { owners } from "../core/address.ts"
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

const namesOwner = (segment: string): boolean => segment === "**" || owners.some((owner) => matchesPattern(compilePattern(segment), owner))
