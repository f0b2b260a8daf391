// Names of connections: which one is meant, and how it is told.
//
// `github`, `github.user.work`, or an integration with --owner and --name.
import { ConnectionAddress } from "../../core/address.ts"
import type { Owner } from "../../core/address.ts"
import type { ConnectionView } from "../../core/connection.ts"
import type { ConnectionKey } from "../../core/executor-api.ts"
import { safeLine } from "./text-safe.ts"
import { orUsageError } from "./usage-error.ts"

export type ConnectionOptions = { readonly owner?: Owner; readonly name?: string }

export function readConnectionKey(word: string, options: ConnectionOptions): ConnectionKey {
  if (!word.includes(".")) return { integration: word, owner: options.owner ?? "org", name: options.name ?? "main" }
  const { integration, owner, connection } = orUsageError(() => ConnectionAddress.parse(word))
  return { integration, owner, name: connection }
}

export const connectionPath = ({ integration, owner, name }: ConnectionKey): string => `${integration}.${owner}.${name}`

export function connectedText(connection: ConnectionView): string {
  const state = connection.status === "ready" ? `${connection.toolCount} tools` : `${connection.status} ${safeLine(connection.error ?? "")}`
  return `Connected ${connectionPath(connection)}: ${state.trim()}`
}
