// A tool that does not only read asks, whatever its server says of it; and of GraphQL tools more is known when they are read again.
import type { Migration } from "../migration.ts"

/** As pins were written: the two fields stand side by side. */
const unasked = `'"effect":"write","requiresApproval":false'`
const asked = `'"effect":"write","requiresApproval":true'`

export const carefulEffects: Migration = {
  version: 12,
  name: "careful effects",
  statements: () => [
    "update tools set requires_approval = 1 where effect <> 'read' and requires_approval = 0",
    // What a human accepted is the same tool, and must not count as changed.
    `update pins set definition = replace(definition, ${unasked}, ${asked}) where definition like '%"effect":"write"%'`,
    // Lists then compile their stored schemas anew.
    `update connections set tools_synced_at = null where exists (
      select 1 from integrations where integrations.tenant_id = connections.tenant_id
        and integrations.slug = connections.integration and integrations.kind = 'graphql')`,
  ],
}
