// Roles: which tools a member can see and call at all, and what else they may do.

export type Role = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** They match `<integration>.<tool>`, or a static tool's fqid. */
  readonly patterns: readonly string[]
  readonly rights: readonly Right[]
}

/** `people`: how many users have it; null for whoever does not see them. */
export type RoleView = Role & { readonly people: number | null }

/** `approve:<pattern>`: answers other people's approvals for these tools. */
export type Right = PlainRight | `approve:${string}`

export const plainRights = [
  "admin",
  "auditor",
  "registry.write",
  "registry.publish",
  "connections.org",
  "policies.edit",
  "people.invite",
] as const
export type PlainRight = (typeof plainRights)[number]

export const approvePrefix = "approve:"

export const adminRole = "admin"
export const memberRole = "member"

/** They exist in every tenant; `member` can be edited, and is then a row. */
export const builtinRoles: readonly Role[] = [
  { id: adminRole, name: "Admin", description: "Sees every tool and administers everything.", patterns: ["*"], rights: ["admin"] },
  { id: memberRole, name: "Member", description: "Sees every tool.", patterns: ["*"], rights: [] },
]

/** A role of a user, and where it comes from: given by hand, or by a sign-in provider's claims. */
export type RoleGrant = { readonly role: string; readonly from: "given" | `sso:${string}` }

/** `description` and `rights` may be left out. */
export type RoleCreate = {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly patterns: readonly string[]
  readonly rights?: readonly string[]
}
export type RoleUpdate = Partial<Omit<RoleCreate, "id">>

/** What these patterns match in the catalog of this moment, as far as the acting user sees it. */
export type RolePreview = {
  readonly count: number
  /** The first ones, as patterns see them: `<integration>.<tool>`, or the fqid of a static tool. */
  readonly tools: readonly string[]
  readonly isComplete: boolean
}
