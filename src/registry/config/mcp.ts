// The config of a tool that calls a tool of an MCP server.
import { isRecord } from "../../core/json/record.ts"
import type { ConfigCheck } from "./context.ts"
import { checkHeaders, checkTimeout, refuseUnknown, requireText, wrong } from "./fields.ts"
import { checkUrl, placeholdersIn } from "./url.ts"

/** `annotations.readOnlyHint`: what the server says of the tool; without it calls ask for approval. */
export const checkMcp: ConfigCheck = async (config, { schema, parts: { limits } }) => {
  refuseUnknown(config, "mcp", ["server_url", "tool_name", "headers", "annotations", "timeout_s"])
  const url = checkUrl("server_url", config["server_url"], "https://mcp.example.com/mcp")
  if (placeholdersIn(url).length > 0) throw wrong("server_url", "is the same for every call and has no {name}; arguments go to the tool")
  requireText(config, "tool_name", "write the name of the tool as the server lists it")
  const { annotations } = config
  const hint = isRecord(annotations) ? annotations["readOnlyHint"] : undefined
  if (annotations !== undefined && !(isRecord(annotations) && Object.keys(annotations).every((name) => name === "readOnlyHint")))
    throw wrong("annotations", 'must be { "readOnlyHint": true } or left out')
  if (hint !== undefined && typeof hint !== "boolean") throw wrong("annotations.readOnlyHint", "must be true or false")
  checkHeaders(config)
  checkTimeout(config, limits)
  return schema
}
