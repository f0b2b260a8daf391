// The pages at their addresses, and the filters that each keeps there.
import { createRootRoute, createRoute } from "@tanstack/react-router"
import { Frame } from "./frame.tsx"
import { lazyPage } from "./lazy-page.ts"
import { NotFound } from "./not-found.tsx"
import { filters } from "./search.ts"

const frameRoute = createRootRoute({ component: Frame, notFoundComponent: NotFound })

const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/",
  component: lazyPage(() => import("../pages/home/page.tsx"), "Page"),
})

const inboxRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/inbox",
  validateSearch: filters("group", "tab", "approval", "execution"),
  component: lazyPage(() => import("../pages/inbox/page.tsx"), "Page"),
})

const executionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/executions",
  validateSearch: filters("q", "status", "principal", "tool", "since"),
  component: lazyPage(() => import("../pages/executions/page.tsx"), "Page"),
})

const executionRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/executions/$id",
  validateSearch: filters("call", "tab", "view"),
  component: lazyPage(() => import("../pages/executions/detail-page.tsx"), "DetailPage"),
})

const playgroundRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/playground",
  validateSearch: filters("tab", "tool", "from", "record", "execution", "out", "call", "detail"),
  component: lazyPage(() => import("../pages/playground/page.tsx"), "Page"),
})

const registryRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/registry",
  validateSearch: filters("q", "status", "bucket", "subtype", "integration", "tool", "tab", "new", "edit", "from", "to"),
  component: lazyPage(() => import("../pages/registry/page.tsx"), "Page"),
})

const toolRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/registry/$id",
  validateSearch: filters("tab", "edit", "from", "to"),
  component: lazyPage(() => import("../pages/registry/detail-page.tsx"), "DetailPage"),
})

const integrationsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/integrations",
  validateSearch: filters("q", "add", "find", "category"),
  component: lazyPage(() => import("../pages/integrations/page.tsx"), "Page"),
})

const integrationRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/integrations/$slug",
  validateSearch: filters("tab", "q"),
  component: lazyPage(() => import("../pages/integrations/detail-page.tsx"), "DetailPage"),
})

const connectionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/connections",
  validateSearch: filters("q", "state", "owner", "integration", "add", "connection"),
  component: lazyPage(() => import("../pages/connections/page.tsx"), "Page"),
})

/** Links to a consent, and the one address that is registered at providers. */
const consentRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/api/oauth/go/$id",
  component: lazyPage(() => import("../pages/consent/offer-page.tsx"), "Page"),
})

const consentAnswerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/api/oauth/callback",
  component: lazyPage(() => import("../pages/consent/answer-page.tsx"), "Page"),
})

const knowledgeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/knowledge",
  validateSearch: filters("q", "pipeline", "tab", "find", "ask", "add"),
  component: lazyPage(() => import("../pages/knowledge/page.tsx"), "Page"),
})

const searchRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/search",
  validateSearch: filters("tab", "q", "namespace", "outcome", "set"),
  component: lazyPage(() => import("../pages/search/page.tsx"), "Page"),
})

const policiesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/policies",
  validateSearch: filters("rule", "pattern", "tab", "address"),
  component: lazyPage(() => import("../pages/policies/page.tsx"), "Page"),
})

const peopleRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/people",
  validateSearch: filters("tab", "q", "status", "source", "role", "person", "add", "provider", "user", "tool"),
  component: lazyPage(() => import("../pages/people/page.tsx"), "Page"),
})

const rolesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/roles",
  validateSearch: filters("role", "add"),
  component: lazyPage(() => import("../pages/roles/page.tsx"), "Page"),
})

const agentsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/agents",
  validateSearch: filters("tab", "new", "token"),
  component: lazyPage(() => import("../pages/agents/page.tsx"), "Page"),
})

const agentRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/agents/$slug",
  validateSearch: filters("tab", "run", "from", "to"),
  component: lazyPage(() => import("../pages/agents/detail-page.tsx"), "DetailPage"),
})

const auditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/audit",
  validateSearch: filters("who", "subject", "action", "outcome", "execution", "rule", "from", "to", "entry"),
  component: lazyPage(() => import("../pages/audit/page.tsx"), "Page"),
})

const passkeysRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/passkeys",
  component: lazyPage(() => import("../pages/passkeys/page.tsx"), "Page"),
})

const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: "/settings",
  validateSearch: filters("tab", "add", "edit", "notification", "q"),
  component: lazyPage(() => import("../pages/settings/page.tsx"), "Page"),
})

export const routeTree = frameRoute.addChildren([
  homeRoute,
  inboxRoute,
  executionsRoute,
  executionRoute,
  playgroundRoute,
  registryRoute,
  toolRoute,
  integrationsRoute,
  integrationRoute,
  connectionsRoute,
  consentRoute,
  consentAnswerRoute,
  knowledgeRoute,
  searchRoute,
  policiesRoute,
  rolesRoute,
  peopleRoute,
  agentsRoute,
  agentRoute,
  auditRoute,
  passkeysRoute,
  settingsRoute,
])
