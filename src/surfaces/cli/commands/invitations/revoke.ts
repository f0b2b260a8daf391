// `executor invitations revoke`: ends an open invitation.
import type { Command } from "commander"
import { configureRemoval } from "../../removal.ts"

export const configure = (command: Command): void =>
  configureRemoval(command, { name: "invitations revoke", kind: "inv", done: "Revoked" }, (api, id) => api.invitations.remove(id))
