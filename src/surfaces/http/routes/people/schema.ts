// The schemas of users, roles, invitations and tenants.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { plainRights } from "../../../../core/people/role.ts"
import { userSources, userStatuses } from "../../../../core/people/user.ts"
import { timestamp } from "../shared-schema.ts"

const grant = z
  .object({ role: z.string(), from: z.string().meta({ description: "`given` by an admin, or `sso:<provider>`." }) })
  .meta({ id: "RoleGrant" })

const right = z.string().meta({ description: `One of ${plainRights.map((one) => `\`${one}\``).join(", ")}, or \`approve:<pattern>\`.` })

export const user = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    status: z.enum(userStatuses),
    roles: z.array(grant),
    service: z.boolean().meta({ description: "A service account: it never signs in, and owns no `user` connections." }),
    source: z.string().meta({ description: "How they came: `local`, added by an admin; `invitation`; or `sso:<provider>`." }),
    lastSeenAt: timestamp.nullable(),
  })
  .meta({ id: "User" })

export const userExample = {
  id: "anna",
  name: "Anna Lee",
  email: "anna@example.com",
  status: "active",
  roles: [{ role: "developer", from: "given" }],
  service: false,
  source: "invitation",
  lastSeenAt: "2026-11-16T09:30:00.000Z",
} as const

export const signInRecord = z
  .object({
    provider: z.string(),
    issuer: z.string(),
    subject: z.string(),
    at: timestamp,
    claims: z.record(z.string(), z.unknown()),
    isComplete: z.boolean().meta({ description: "Whether `claims` has all of them: large ones are left out." }),
    values: z.array(z.string()).meta({ description: "What the rules of the provider were matched with." }),
    roles: z.array(z.string()).meta({ description: "The roles that came of it." }),
    refusal: z.string().nullable().meta({ description: "Why they were not let in." }),
  })
  .meta({ id: "SignInRecord" })

export const signInRecordExample = {
  provider: "okta",
  issuer: "https://acme.okta.com",
  subject: "00u1a2b3c4",
  at: "2026-11-16T09:30:00.000Z",
  claims: { sub: "00u1a2b3c4", email: "anna@example.com", groups: ["eng-oncall"] },
  isComplete: true,
  values: ["eng-oncall"],
  roles: ["developer"],
  refusal: null,
}

export const me = z
  .object({
    tenant: z.string(),
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    kind: z.enum(["human", "agent"]),
    roles: z.array(grant),
    rights: z
      .array(z.object({ right: z.string(), from: z.array(z.string()).meta({ description: "The roles that give it." }) }))
      .meta({ description: "An agent has none, whoever it acts for." }),
    token: z
      .object({ id: z.string(), name: z.string(), patterns: z.array(z.string()).nullable() })
      .nullable()
      .meta({ description: "The token of this request; null in a browser." }),
  })
  .meta({ id: "Me" })

export const meExample = {
  tenant: "default",
  id: "local",
  name: "Local user",
  email: null,
  kind: "human",
  roles: [{ role: "admin", from: "given" }],
  rights: [{ right: "admin", from: ["admin"] }],
  token: null,
} as const

export const role = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    patterns: z
      .array(z.string())
      .meta({ description: "The tools that members see: `*` is one segment or part of one, `**` any depth, `*` alone everything." }),
    rights: z.array(right),
  })
  .meta({ id: "Role" })

export const roleView = role
  .extend({ people: z.int().nullable().meta({ description: "How many users have it; null for whoever does not see them." }) })
  .meta({ id: "RoleView" })

export const roleExample = {
  id: "developer",
  name: "Developer",
  description: "",
  patterns: ["github.**", "linear.issues.*", "slack.channels.list"],
  rights: [],
}

export const invitation = z
  .object({
    id: z.string(),
    user: z.string(),
    email: z.string().nullable(),
    roles: z.array(z.string()),
    invitedBy: z.string(),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: "Invitation" })

export const invitationExample = {
  id: "inv_0mh2k3v9x41c",
  user: "anna",
  email: "anna@example.com",
  roles: ["developer"],
  invitedBy: "local",
  createdAt: "2026-11-16T09:30:00.000Z",
  expiresAt: "2026-11-23T09:30:00.000Z",
}

export const invitationCreated = invitation
  .extend({ link: z.string(), token: z.string().meta({ description: "What the link ends with. Both are shown only once." }) })
  .meta({ id: "InvitationCreated" })

export const tenant = z.object({ id: z.string(), createdAt: timestamp }).meta({ id: "Tenant" })

export const tenantCreated = tenant
  .extend({ admin: z.string(), tokenId: z.string(), token: z.string().meta({ description: "Of the first admin. It is shown only once." }) })
  .meta({ id: "TenantCreated" })

export function peopleInput(limits: Limits) {
  const text = z.string().min(1).max(limits.nameCharsMax)
  const roles = z.array(text).max(limits.rolesPerUserMax)
  const patterns = z.array(z.string().max(2 * limits.nameCharsMax)).max(limits.rolePatternsMax)
  const roleFields = {
    name: text,
    description: z.string().max(limits.nameCharsMax).exactOptional(),
    patterns,
    rights: z
      .array(z.string().max(2 * limits.nameCharsMax))
      .max(limits.rolePatternsMax)
      .exactOptional(),
  }
  return {
    id: text,
    patterns,
    userFilter: {
      status: z.enum(userStatuses).exactOptional(),
      role: text.exactOptional().meta({ description: "The id of a role that they have." }),
      source: z.enum(userSources).exactOptional().meta({ description: "How they came." }),
      service: z.boolean().exactOptional().meta({ description: "Only service accounts, or only people." }),
      query: text.exactOptional().meta({ description: "Text in the id, the name or the e-mail address, ignoring case." }),
    },
    ofUser: { user: text.exactOptional().meta({ description: "Of this user alone; others than admins may name only themselves." }) },
    userCreate: z
      .strictObject({
        id: text.exactOptional(),
        name: text,
        email: text.nullable().exactOptional(),
        roles,
        service: z.boolean().exactOptional(),
      })
      .meta({ id: "UserCreate" }),
    userUpdate: z
      .strictObject({
        name: text.exactOptional(),
        email: text.nullable().exactOptional(),
        roles: roles.exactOptional(),
        status: z.enum(["active", "disabled"]).exactOptional(),
      })
      .meta({ id: "UserUpdate" }),
    roleCreate: z.strictObject({ id: text, ...roleFields }).meta({ id: "RoleCreate" }),
    roleUpdate: z
      .strictObject({ ...roleFields, name: text.exactOptional(), patterns: patterns.exactOptional() })
      .meta({ id: "RoleUpdate" }),
    invitationCreate: z
      .strictObject({ roles, name: text.exactOptional(), email: text.exactOptional(), user: text.exactOptional() })
      .meta({ id: "InvitationCreate" }),
  }
}
