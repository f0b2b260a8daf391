// Notifications, and what was told by each. Their addresses are in the vault.
import type { Migration } from "../migration.ts"

export const notifications: Migration = {
  version: 33,
  name: "notifications",
  statements: ({ text }) => [
    `create table notifications (
      tenant_id ${text} not null,
      notification_id ${text} not null,
      name ${text} not null,
      kind ${text} not null,
      host ${text} not null,
      patterns ${text},
      include_arguments integer not null,
      enabled integer not null,
      enabled_at ${text} not null,
      created_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (tenant_id, notification_id),
      foreign key (tenant_id) references tenants on delete cascade
    )`,
    `create table deliveries (
      tenant_id ${text} not null,
      delivery_id ${text} not null,
      notification_id ${text} not null,
      event ${text} not null,
      subject ${text} not null,
      state ${text} not null,
      attempts integer not null,
      status integer,
      error ${text},
      next_try_at ${text},
      lease_owner ${text},
      lease_until ${text},
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (tenant_id, delivery_id),
      foreign key (tenant_id, notification_id) references notifications on delete cascade
    )`,
    // What is told once is told once, whoever finds it first.
    `create unique index deliveries_once on deliveries (tenant_id, notification_id, subject)`,
    `create index deliveries_due on deliveries (next_try_at) where state = 'waiting'`,
  ],
}
