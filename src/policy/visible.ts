// Determines which tools a member can see and call: those that one of its roles names.
import { adminRole } from "../core/principal.ts"
import type { Role } from "../core/role.ts"
import { compilePattern, matchesPattern } from "./match.ts"

/** `<integration>.<tool>`; for a static tool its fqid. */
export type IsVisible = (subject: string) => boolean

/** The role that is always there. */
const builtinRoles: readonly Role[] = [{ id: adminRole, name: "Admin", patterns: ["*"] }]

/** `roleIds`: those of the principal; an id that no role has gives nothing. */
export function visibleTo(roleIds: readonly string[], roles: readonly Role[]): IsVisible {
  const held = [...builtinRoles, ...roles].filter((role) => roleIds.includes(role.id))
  const patterns = held.flatMap((role) => role.patterns).map(compilePattern)
  return (subject) => patterns.some((pattern) => matchesPattern(pattern, subject))
}

export const roleSubject = (integration: string, tool: string): string => `${integration}.${tool}`
