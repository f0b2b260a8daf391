// Entries of the audit form a chain per tenant; those of earlier versions stay outside of it.
//
// The position of an entry is 0 until it is sealed. Without one, it was written by an earlier version, which may run
// beside this one for a while, or by nobody who should.
import { chainStart } from "../../core/audit/chain.ts"
import type { Migration } from "../migration.ts"

const upgradeMs = 60 * 60 * 1000

export const auditChain: Migration = {
  version: 17,
  name: "audit chain",
  statements: ({ text }) => [
    "alter table audit add column position bigint",
    `alter table audit add column previous_hash ${text}`,
    `alter table audit add column hash ${text}`,
    "create index audit_unsealed on audit (at, audit_id) where position = 0",
    "create index audit_by_position on audit (tenant_id, position, audit_id) where position > 0",
    "create index audit_outside on audit (tenant_id, at, audit_id) where coalesce(position, -1) < 0",
    `create table audit_chains (
      tenant_id ${text} not null primary key,
      position bigint not null,
      hash ${text} not null,
      pruned_position bigint not null,
      pruned_hash ${text} not null,
      begins_at ${text} not null
    )`,
    `insert into audit_chains (tenant_id, position, hash, pruned_position, pruned_hash, begins_at)
      select distinct tenant_id, ${start}, ${start}, '${new Date(Date.now() + upgradeMs).toISOString()}'
      from (select tenant_id from audit union select tenant_id from executions) as earlier`,
  ],
}

const start = `${chainStart.position}, '${chainStart.hash}'`
