// Browser sessions have a second secret besides their cookie: a key that only the pages of this very origin can read.
import type { Migration } from "../migration.ts"

export const sessionKey: Migration = {
  version: 8,
  name: "session key",
  statements: ({ text }) => [`alter table browser_sessions add column key_hash ${text}`],
}
