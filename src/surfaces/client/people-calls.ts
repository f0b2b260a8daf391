// The client's calls about people: users, roles, invitations, tokens, sessions and tenants.
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { InvitationCreated, InvitationView } from "../../core/people/invitation.ts"
import type { Role, RolePreview, RoleView } from "../../core/people/role.ts"
import type { SessionView } from "../../core/people/session.ts"
import type { SignInRecord } from "../../core/people/sign-in.ts"
import type { TenantCreated, TenantView } from "../../core/people/tenant.ts"
import type { Me, UserView } from "../../core/people/user.ts"
import type { SignInCode, TokenCreated, TokenView } from "../../core/token.ts"
import type { Transport } from "./transport.ts"
import { pathTo } from "./transport.ts"

type Query = Readonly<Record<string, string | boolean | undefined>>

type PeopleCalls = Pick<ExecutorApi, "me" | "users" | "roles" | "invitations" | "tokens" | "sessions" | "tenants">

export function peopleCalls(http: Transport): PeopleCalls {
  const list = <Item>(path: string, { limit, cursor }: PageRequest, filter: Query = {}): Promise<Page<Item>> =>
    http.send<Page<Item>>("GET", path, { holds: "items", query: { limit, cursor, ...filter } })
  return {
    me: () => http.send<Me>("GET", "/me", { holds: "id" }),
    users: {
      list: ({ status, role, source, service, query, ...page } = {}) =>
        list<UserView>("/users", page, { status, role, source, service, query }),
      get: async (id) => http.send<UserView>("GET", pathTo("users", id), { holds: "id" }),
      create: (input) => http.send<UserView>("POST", "/users", { holds: "id", body: input }),
      update: async (id, change) => http.send<UserView>("PATCH", pathTo("users", id), { holds: "id", body: change }),
      remove: async (id) => http.send<void>("DELETE", pathTo("users", id)),
      signIns: async (id) => (await list<SignInRecord>(`${pathTo("users", id)}/sign-ins`, {})).items,
    },
    roles: {
      list: (page = {}) => list<RoleView>("/roles", page),
      get: async (id) => http.send<RoleView>("GET", pathTo("roles", id), { holds: "id" }),
      create: (input) => http.send<Role>("POST", "/roles", { holds: "id", body: input }),
      update: async (id, change) => http.send<Role>("PATCH", pathTo("roles", id), { holds: "id", body: change }),
      remove: async (id) => http.send<void>("DELETE", pathTo("roles", id)),
      preview: (patterns) => http.send<RolePreview>("POST", "/roles/preview", { holds: "tools", body: { patterns } }),
    },
    invitations: {
      list: (page = {}) => list<InvitationView>("/invitations", page),
      create: (input) => http.send<InvitationCreated>("POST", "/invitations", { holds: "token", body: input }),
      remove: async (id) => http.send<void>("DELETE", pathTo("invitations", id)),
      accept: (token) => http.send<UserView>("POST", "/invitations/accept", { holds: "id", body: { token } }),
    },
    tokens: {
      list: (page = {}) => list<TokenView>("/tokens", page, { user: page.user }),
      create: (input) => http.send<TokenCreated>("POST", "/tokens", { holds: "token", body: input }),
      remove: async (id) => http.send<void>("DELETE", pathTo("tokens", id)),
    },
    sessions: {
      create: () => http.send<SignInCode>("POST", "/sessions", { holds: "code" }),
      list: (page = {}) => list<SessionView>("/sessions", page, { user: page.user }),
      remove: async (id) => http.send<void>("DELETE", pathTo("sessions", id)),
    },
    tenants: {
      list: (page = {}) => list<TenantView>("/tenants", page),
      create: (input) => http.send<TenantCreated>("POST", "/tenants", { holds: "token", body: input }),
    },
  }
}
