// Integrations and connections as one principal administers them; every change is audited with its before and after.
import { createConnection, updateConnection } from "../../catalog/connections/create.ts"
import { checkConnection, listConnections, refreshConnection, removeConnection } from "../../catalog/connections/list.ts"
import { getConnection, viewConnection } from "../../catalog/connections/connection.ts"
import { addIntegration } from "../../catalog/integrations/add.ts"
import { listIntegrations, removeIntegration } from "../../catalog/integrations/list.ts"
import { detectIntegration } from "../../catalog/integrations/detect.ts"
import { previewIntegration } from "../../catalog/integrations/preview.ts"
import { getIntegration, viewIntegration, viewIntegrationFor } from "../../catalog/integrations/integration.ts"
import { updateIntegration } from "../../catalog/integrations/update.ts"
import type { CatalogParts } from "../../catalog/catalog-parts.ts"
import type { ConnectionKey, ExecutorApi } from "../../core/executor-api.ts"
import type { Principal } from "../../core/principal.ts"
import type { EngineParts } from "../engine-parts.ts"
import { withAudit, withChangeAudit } from "./audit.ts"
import { connectionAuditDetails, connectionOf, integrationAuditDetails, integrationOf } from "./details.ts"

type Parts = EngineParts & CatalogParts

/** The subject of an entry about a connection. */
export const connectionName = ({
  integration,
  owner = "org",
  name = "main",
}: {
  integration: string
  owner?: string
  name?: string
}): string => `${integration}.${owner}.${name}`

export function integrationsOf(principal: Principal, parts: Parts): ExecutorApi["integrations"] {
  const [audit, auditChange] = [withAudit(principal, parts), withChangeAudit(principal, parts)]
  const integrationShown = (slug: string) => ({
    look: async () => viewIntegration(await getIntegration(principal, slug, parts)),
    before: integrationOf,
  })
  return {
    list: (page = {}) => listIntegrations(principal, page, parts),
    get: async (slug) => viewIntegrationFor(principal, await getIntegration(principal, slug, parts), parts),
    add: (input) => audit("integration.add", input.slug, () => addIntegration(principal, input, parts), integrationAuditDetails),
    update: (slug, change) =>
      auditChange("integration.update", slug, () => updateIntegration(principal, slug, change, parts), {
        ...integrationShown(slug),
        after: integrationOf,
      }),
    remove: (slug) => auditChange("integration.remove", slug, () => removeIntegration(principal, slug, parts), integrationShown(slug)),
    detect: (url) => detectIntegration(principal, url, parts),
    preview: (input) => previewIntegration(principal, input, parts),
  }
}

export function connectionsOf(principal: Principal, parts: Parts): ExecutorApi["connections"] {
  const [audit, auditChange] = [withAudit(principal, parts), withChangeAudit(principal, parts)]
  const connectionShown = (key: ConnectionKey) => ({
    look: async () => viewConnection(principal, await getConnection(principal, key, parts), parts),
    before: connectionOf,
  })
  return {
    list: (filter = {}) => listConnections(principal, filter, parts),
    get: async (key) => viewConnection(principal, await getConnection(principal, key, parts), parts),
    create: (input) =>
      audit("connection.create", connectionName(input), () => createConnection(principal, input, parts), connectionAuditDetails),
    update: (key, change) =>
      auditChange("connection.update", connectionName(key), () => updateConnection(principal, key, change, parts), {
        ...connectionShown(key),
        after: connectionOf,
      }),
    refresh: (key) =>
      auditChange("connection.refresh", connectionName(key), () => refreshConnection(principal, key, parts), {
        ...connectionShown(key),
        after: connectionOf,
      }),
    health: (key) => checkConnection(principal, key, parts),
    remove: (key) =>
      auditChange("connection.remove", connectionName(key), () => removeConnection(principal, key, parts), connectionShown(key)),
  }
}
