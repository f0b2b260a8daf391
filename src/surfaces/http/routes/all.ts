// Every route of the API, in the order in which the reference shows them.
import type { Limits } from "../../../core/limits.ts"
import { accessRoutes } from "./access.ts"
import { agentRoutes } from "./agents/agents.ts"
import { modelRoutes } from "./agents/models.ts"
import { approvalRoutes } from "./approvals.ts"
import { auditRoutes } from "./audit.ts"
import { connectionRoutes } from "./connections.ts"
import { backtestRoutes } from "./console/backtest.ts"
import { eventRoutes } from "./console/events.ts"
import { executionRoutes } from "./executions.ts"
import { idRoutes } from "./ids.ts"
import { integrationRoutes } from "./integrations.ts"
import { invitationRoutes } from "./people/invitations.ts"
import { oauthRoutes } from "./oauth.ts"
import { passkeyRoutes } from "./passkeys.ts"
import { limitRoutes } from "./setup/limits.ts"
import { notificationRoutes } from "./setup/notifications.ts"
import { presetRoutes } from "./setup/presets.ts"
import { policyRoutes } from "./policies.ts"
import { artifactRoutes } from "./registry/artifacts.ts"
import { credentialRoutes } from "./registry/credentials.ts"
import { registryRoutes } from "./registry/tools.ts"
import { toolEmbeddingRoutes } from "./retrieval/tool-embedding.ts"
import { pipelineRoutes } from "./retrieval/pipelines.ts"
import { roleRoutes } from "./people/roles.ts"
import type { Route } from "./route.ts"
import { sessionRoutes } from "./sessions.ts"
import { signInRoutes } from "./sign-in.ts"
import { tokenRoutes } from "./tokens.ts"
import { toolRoutes } from "./tools.ts"
import { workspaceRoutes } from "./agents/workspaces.ts"
import { userRoutes } from "./people/users.ts"

const families = [
  toolRoutes,
  toolEmbeddingRoutes,
  registryRoutes,
  artifactRoutes,
  credentialRoutes,
  pipelineRoutes,
  agentRoutes,
  modelRoutes,
  executionRoutes,
  workspaceRoutes,
  approvalRoutes,
  notificationRoutes,
  policyRoutes,
  backtestRoutes,
  accessRoutes,
  integrationRoutes,
  presetRoutes,
  connectionRoutes,
  oauthRoutes,
  userRoutes,
  roleRoutes,
  invitationRoutes,
  tokenRoutes,
  sessionRoutes,
  signInRoutes,
  passkeyRoutes,
  auditRoutes,
  eventRoutes,
  limitRoutes,
  idRoutes,
] as const

export const apiRoutes = (limits: Limits): Route[] => families.flatMap((routesOf) => routesOf(limits))
