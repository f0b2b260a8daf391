// The tools of all MCP servers by their qualified names, with a way to the resources of the same servers.
import type { McpToolInfo } from "../tool-part.ts"
import type { McpResources } from "./resource-types.ts"

/** As they were listed: what servers change later does not reach it. */
export class McpToolTable extends Map<string, McpToolInfo> {
  readonly resources: McpResources

  constructor(entries: Iterable<readonly [string, McpToolInfo]>, resources: McpResources) {
    super(entries)
    this.resources = resources
  }
}
