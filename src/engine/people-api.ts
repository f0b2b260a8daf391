// The part of the API that is about people, as one principal acts on it; every change is audited.
import { endSessions } from "../catalog/source-adapters.ts"
import { previewRole } from "../catalog/tools/role-preview.ts"
import type { StaticTools } from "../catalog/static-tool.ts"
import type { ExecutorApi } from "../core/executor-api.ts"
import type { UserView } from "../core/people/user.ts"
import type { Principal } from "../core/principal.ts"
import { listSessions, removeSession } from "../identity/session-list.ts"
import { createSignInCode } from "../identity/session-code.ts"
import { requireCodeAllowed } from "../identity/sso-only.ts"
import { readMe } from "../identity/people/me.ts"
import { acceptInvitation, createInvitation, listInvitations, removeInvitation } from "../identity/people/invitations.ts"
import { requireHuman } from "../identity/people/people.ts"
import { createRole, getRole, listRoles, removeRole, updateRole } from "../identity/people/roles.ts"
import { createTenant, listTenants } from "../identity/people/tenants.ts"
import { createUser, getUser, listUsers, removeUser, updateUser } from "../identity/people/users.ts"
import type { UserChange } from "../identity/people/users.ts"
import { listSignIns } from "../identity/sign-in/record.ts"
import { createToken, listTokens, removeToken } from "../identity/token-create.ts"
import { allConnections } from "../store/all-rows.ts"
import { withAudit } from "./audit/audit.ts"
import type { AuditDetails } from "./audit/audit.ts"
import { tokenAuditDetails } from "./audit/details.ts"
import type { EngineParts } from "./engine-parts.ts"
import { cancelOfToken, cancelOfUser } from "./executions/cancel.ts"
import { invitationLink } from "./invitations.ts"

type PeopleApi = Pick<ExecutorApi, "me" | "users" | "roles" | "invitations" | "tokens" | "sessions" | "tenants">

export function peopleApi(principal: Principal, parts: EngineParts & { readonly staticTools: StaticTools }): PeopleApi {
  const audit = withAudit(principal, parts)
  return {
    me: () => readMe(principal, parts),
    users: {
      list: (page = {}) => listUsers(principal, page, parts),
      get: (id) => getUser(principal, id, parts),
      create: (input) => audit("user.create", input.id ?? input.name, () => createUser(principal, input, parts), created),
      update: async (id, change) => {
        const action = change.status === "disabled" ? "user.disable" : "user.update"
        return (
          await audit(action, id, () => changeUser(principal, id, () => updateUser(principal, id, change, parts), parts), beforeAfter)
        ).after
      },
      remove: async (id) => void (await audit("user.remove", id, () => dropUser(principal, id, parts), removed)),
      signIns: (id) => listSignIns(principal, id, parts),
    },
    roles: {
      list: (page = {}) => listRoles(principal, page, parts),
      get: (id) => getRole(principal, id, parts),
      create: (input) => audit("role.create", input.id, () => createRole(principal, input, parts), created),
      update: async (id, change) => (await audit("role.update", id, () => updateRole(principal, id, change, parts), beforeAfter)).after,
      remove: async (id) => void (await audit("role.remove", id, () => removeRole(principal, id, parts), removed)),
      preview: (patterns) => previewRole(principal, patterns, parts),
    },
    invitations: {
      list: (page = {}) => listInvitations(principal, page, parts),
      create: (input) =>
        audit(
          "invitation.create",
          input.email ?? input.user ?? input.name ?? "",
          () => createInvitation(principal, input, (token) => invitationLink(token, parts), parts),
          ({ token: _token, link: _link, ...after }) => ({ subject: after.id, details: { before: null, after } }),
        ),
      remove: async (id) => void (await audit("invitation.remove", id, () => removeInvitation(principal, id, parts), removed)),
      accept: async (token) =>
        (
          await audit(
            "invitation.accept",
            principal.user,
            async () => {
              requireHuman(principal, "accept invitations")
              return acceptInvitation(token, { kind: "user", scope: principal }, parts)
            },
            ({ invitation, user }) => ({ subject: invitation.id, details: { user: user.id, roles: user.roles } }),
          )
        ).user,
    },
    tokens: {
      list: (page = {}) => listTokens(principal, page, parts),
      create: (input) => audit("token.create", input.name, () => createToken(principal, input, parts), tokenAuditDetails(input)),
      remove: async (id) => {
        const remove = async () => {
          const token = await removeToken(principal, id, parts)
          await cancelOfToken(principal, id, parts)
          return token
        }
        await audit("token.remove", id, remove, removed)
      },
    },
    sessions: {
      create: () =>
        audit("session.create", principal.user, async () => {
          requireCodeAllowed(principal, parts)
          return createSignInCode(principal, parts)
        }),
      list: (page = {}) => listSessions(principal, page, parts),
      remove: (id) => audit("session.remove", id, () => removeSession(principal, id, parts)),
    },
    tenants: {
      list: (page = {}) => listTenants(principal, page, parts),
      create: (input) =>
        audit(
          "tenant.create",
          input.id,
          () => createTenant(principal, input, parts),
          ({ token: _token, ...after }) => ({ details: { before: null, after } }),
        ),
    },
  }
}

/** Once the row says so, nothing new begins: what runs is then ended. */
async function changeUser(principal: Principal, id: string, change: () => Promise<UserChange>, parts: EngineParts): Promise<UserChange> {
  const done = await change()
  if (done.after.status === "disabled") await cancelOfUser({ tenant: principal.tenant, user: id }, done.endedTokens, ["running"], parts)
  return done
}

async function dropUser(principal: Principal, id: string, parts: EngineParts): Promise<UserView> {
  const scope = { tenant: principal.tenant, user: id }
  const own = await allConnections(scope, { owner: "user" }, parts.store)
  const { before, endedTokens } = await removeUser(principal, id, parts)
  await cancelOfUser(scope, endedTokens, ["running", "paused"], parts)
  for (const { integration } of own) endSessions(scope, integration, parts)
  return before
}

/** What was there before it went. */
const removed = (before: object): AuditDetails => ({ details: { before, after: null } })

const created = (after: { readonly id: string }): AuditDetails => ({ subject: after.id, details: { before: null, after } })

const beforeAfter = ({ before, after }: { readonly before: unknown; readonly after: unknown }): AuditDetails => ({
  details: { before, after },
})
