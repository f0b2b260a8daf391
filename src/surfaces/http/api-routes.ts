// Every route of the API, in the order in which the reference shows them.
import type { Limits } from "../../core/limits.ts"
import { approvalRoutes } from "./approval-routes.ts"
import { auditRoutes } from "./audit-routes.ts"
import { connectionRoutes } from "./connection-routes.ts"
import { executionRoutes } from "./execution-routes.ts"
import { idRoutes } from "./id-routes.ts"
import { integrationRoutes } from "./integration-routes.ts"
import { oauthRoutes } from "./oauth-routes.ts"
import { policyRoutes } from "./policy-routes.ts"
import type { Route } from "./route.ts"
import { sessionRoutes } from "./session-routes.ts"
import { tokenRoutes } from "./token-routes.ts"
import { toolRoutes } from "./tool-routes.ts"

const families = [
  toolRoutes,
  executionRoutes,
  approvalRoutes,
  policyRoutes,
  integrationRoutes,
  connectionRoutes,
  oauthRoutes,
  tokenRoutes,
  sessionRoutes,
  auditRoutes,
  idRoutes,
] as const

export const apiRoutes = (limits: Limits): Route[] => families.flatMap((routesOf) => routesOf(limits))
