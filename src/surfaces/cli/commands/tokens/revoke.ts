// `executor tokens revoke`: makes a token useless at once.
import type { Command } from "commander"
import { configureRemoval } from "../../removal.ts"

export const configure = (command: Command): void =>
  configureRemoval(command, { name: "tokens revoke", kind: "tok", done: "Revoked" }, (api, id) => api.tokens.remove(id))
