// The filters of the audit as options of its commands.
import type { Command } from "commander"
import type { AuditFilter } from "../../core/audit/entry.ts"
import { omitUndefined } from "./omit-undefined.ts"
import { parseTime } from "./option-parse.ts"

export const addAuditFilters = (command: Command): Command =>
  command
    .option("--id <id>", "Only the entry with this id.")
    .option("--execution-id <id>", "Only entries for this execution.")
    .option("--action <action>", "Only this action: call, or a change such as policy.create.")
    .option("--rule <id>", "Only calls that this policy decided.")
    .option("--outcome <outcome>", "Only this outcome: ok, or an error code.")
    .option("--user <name>", "Only what this user and their agents did.")
    .option("--subject <subject>", "Only entries about this: a tool's path, or the name of what was changed.")
    .option("--from <time>", "Only entries from this moment on: 2026-11-01 (UTC), or 2026-11-01T09:30:00Z.", parseTime)
    .option("--to <time>", "Only entries before this moment.", parseTime)

export const auditFilterOf = ({ id, executionId, action, rule, outcome, user, subject, from, to }: AuditFilter): AuditFilter =>
  omitUndefined({ id, executionId, action, rule, outcome, user, subject, from, to })
