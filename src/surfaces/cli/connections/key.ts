// Names of connections: which one is meant, and how it is told.
//
// `github`, `github.user.work`, or an integration with --owner and --name.
import { ConnectionAddress } from "../../../core/address.ts"
import type { Owner } from "../../../core/address.ts"
import type { ConnectionView } from "../../../core/connection.ts"
import type { ConnectionKey } from "../../../core/executor-api.ts"
import { counted } from "../print/count.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { fitText } from "../print/width.ts"
import { orUsageError } from "../usage-error.ts"

export type ConnectionOptions = { readonly owner?: Owner; readonly name?: string }

export function readConnectionKey(word: string, options: ConnectionOptions): ConnectionKey {
  if (!word.includes(".")) return { integration: word, owner: options.owner ?? "org", name: options.name ?? "main" }
  const { integration, owner, connection } = orUsageError(() => ConnectionAddress.parse(word))
  return { integration, owner, name: connection }
}

export const connectionPath = ({ integration, owner, name }: ConnectionKey): string => `${integration}.${owner}.${name}`

export function connectedText(connection: ConnectionView): string {
  const path = connectionPath(connection)
  if (connection.status === "ready") return `Connected ${path}: ${counted(connection.toolCount, "tool")}`
  return `Created ${path}, but ${troubleText(connection)}`
}

/** Why it is not ready, on one line. */
export function troubleText({ status, error }: ConnectionView): string {
  const trouble = status === "error" ? "it cannot be reached" : `it is not usable yet (${status})`
  return error === null || error === "" ? trouble : `${trouble}: ${reasonText(error)}`
}

/** The first line says what went wrong and what to do; what a program wrote before it failed may fill a page. */
export function reasonText(error: string): string {
  const [first = ""] = error.split("\n", 1)
  return first.endsWith(":") ? fitText(safeLine(error), outputWidthMax) : fitText(safeLine(first), reasonWidthMax)
}

const reasonWidthMax = 400
const outputWidthMax = 200
