// What a provider granted of what it was asked for, and why a consent failed.
import type { Migration } from "../migration.ts"

export const consentOutcome: Migration = {
  version: 36,
  name: "consent outcome",
  statements: ({ text }) => [
    `alter table oauth_grants add column granted_scopes ${text}`,
    `alter table oauth_flows add column error ${text}`,
  ],
}
