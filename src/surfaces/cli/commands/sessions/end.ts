// `executor sessions end`: signs a browser out.
import type { Command } from "commander"
import { configureRemoval } from "../../removal.ts"

export const configure = (command: Command): void =>
  configureRemoval(command, { name: "sessions end", kind: "ses", done: "Ended" }, (api, id) => api.sessions.remove(id))
