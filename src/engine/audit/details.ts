// The details of a change in the audit log, so that the entry is readable even after the changed object is gone.
import type { ConnectionView } from "../../core/connection.ts"
import type { IntegrationView } from "../../core/integration.ts"
import type { OauthClientView } from "../../core/oauth.ts"
import type { PolicyRule } from "../../core/policy.ts"
import type { TokenCreate, TokenCreated } from "../../core/token.ts"
import type { AuditDetails } from "./audit.ts"

export const policyAuditDetails = (rule: PolicyRule): AuditDetails => ({ subject: rule.pattern, details: ruleOf(rule) })

export const policyChangeAuditDetails = ({ before, after }: { readonly before: PolicyRule; readonly after: PolicyRule }): AuditDetails => ({
  details: { before: ruleOf(before), after: ruleOf(after) },
})

export const policyRemovalAuditDetails = (rule: PolicyRule): AuditDetails => ({ details: ruleOf(rule) })

/** Never the token itself. */
export const tokenAuditDetails =
  ({ kind, patterns, expiresAt, user }: TokenCreate) =>
  ({ id }: TokenCreated): AuditDetails => ({
    details: {
      id,
      kind,
      ...(patterns === undefined ? {} : { patterns }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(user === undefined ? {} : { user }),
    },
  })

/** Never its config, whose secrets stay in the vault. */
export const integrationAuditDetails = (view: IntegrationView): AuditDetails => ({ details: { before: null, after: integrationOf(view) } })

/** Never its config; its revision and the document's hash say that it is another one. */
export const integrationOf = ({ kind, name, description, documentHash, configRevisedAt }: IntegrationView) => ({
  kind,
  name,
  description,
  documentHash,
  configRevisedAt,
})

/** Never a credential: only which ones are bound. */
export const connectionOf = ({ auth, status, origins, toolCount }: ConnectionView) => ({
  template: auth.template,
  bound: auth.bound,
  status,
  origins,
  toolCount,
})
export const connectionAuditDetails = (view: ConnectionView): AuditDetails => ({ details: { before: null, after: connectionOf(view) } })

type OauthClient = Pick<OauthClientView, "id" | "kind" | "name" | "clientId" | "integration">
/** Never its secret. */
export const oauthClientOf = ({ id, kind, name, clientId, integration }: OauthClient) => ({ id, kind, name, clientId, integration })
export const oauthClientAuditDetails = (view: OauthClientView): AuditDetails => ({ details: { before: null, after: oauthClientOf(view) } })

const ruleOf = ({ id, owner, pattern, action, when, position, role, by }: PolicyRule): PolicyRule => ({
  id,
  owner,
  pattern,
  action,
  when,
  position,
  ...(role === undefined ? {} : { role }),
  ...(by === undefined ? {} : { by }),
})
