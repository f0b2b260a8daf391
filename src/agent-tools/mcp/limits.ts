// What an agent's MCP servers may take of time and room, each with its reason.
//
// They are no limits of the server product: whoever embeds the library sets times in the config of each server.
import { defaultLimits } from "../../core/limits.ts"

const second = 1000
const kilobyte = 1024

export const mcpLimits = {
  /** Some servers are downloaded before they start; `startup_timeout_sec` says otherwise. */
  startMs: 30 * second,
  /** Searches and builds take minutes; `tool_timeout_sec` says otherwise. */
  callMs: 300 * second,
  /** Tools of one server that are offered to the model, which reads no more. */
  toolsMax: 1000,
  /** The model sees 64 characters of a name. */
  toolNameCharsMax: 1000,
  titleCharsMax: defaultLimits.nameCharsMax,
  /** Descriptions are part of every request to the model. */
  descriptionCharsMax: defaultLimits.descriptionCharsMax,
  /** So are schemas. */
  schemaBytesMax: 256 * kilobyte,
  /** Walking a schema is recursive. */
  schemaDepthMax: defaultLimits.schemaDepthMax,
  /** A server can always name another page. */
  pagesMax: 64,
  /** Resources of one server in one list. */
  resourcesMax: 10_000,
}

export type McpLimits = typeof mcpLimits
