// What a client of the pass-through sees of one integration: its tools by name, and what its upstream has besides them.
import type { Tool } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../../core/errors.ts"
import type { DirectTool, DirectTools } from "../../../core/call/direct.ts"
import { toPlainObject } from "../../../core/json/model-schema.ts"
import { safeText } from "../../../core/text/safe.ts"
import { nameDirectTools } from "./names.ts"
import type { McpHostParts } from "../host-parts.ts"
import type { Asker } from "../request-principal.ts"

/** The methods of the protocol that the catalog has as tools of an MCP server. */
export const directMethods = ["resources.list", "resources.read", "resources.templates", "prompts.list", "prompts.get"] as const
export type DirectMethod = (typeof directMethods)[number]

export type DirectListing = {
  readonly kind: string
  readonly tools: ReadonlyMap<string, DirectTool>
  readonly methods: ReadonlyMap<DirectMethod, DirectTool>
}

export async function readListing({ principal, options }: Asker, parts: Pick<McpHostParts, "hostApi">): Promise<DirectListing> {
  const wanted = options.direct
  const found = wanted === null ? null : await parts.hostApi.directTools(principal, wanted.integration)
  if (wanted === null || found === null)
    throw new ExecutorError("not_found", `There is no integration '${(wanted?.integration ?? "").slice(0, 80)}'`)
  const known = listings.get(found) ?? new Map<string | null, DirectListing>()
  listings.set(found, known)
  const listing = known.get(wanted.connection) ?? toListing(found, wanted.connection)
  // Clients name connections as they like; those that exist are few.
  if (listing.tools.size > 0) known.set(wanted.connection, listing)
  return listing
}

/** By connection. What the catalog gives stays the same object as long as nothing changes, and naming thousands takes its time. */
const listings = new WeakMap<DirectTools, Map<string | null, DirectListing>>()

function toListing(found: DirectTools, connection: string | null): DirectListing {
  const own = found.tools.filter((tool) => connection === null || tool.connection === connection)
  const isMethod = (tool: DirectTool): boolean => found.kind === "mcp" && directMethods.some((method) => method === tool.name)
  return {
    kind: found.kind,
    tools: nameDirectTools(own.filter((tool) => !isMethod(tool))),
    // Of several connections the first one speaks for the upstream, unless the client names another.
    methods: new Map(directMethods.flatMap((method) => methodOf(method, own.filter(isMethod)))),
  }
}

function methodOf(method: DirectMethod, tools: readonly DirectTool[]): [DirectMethod, DirectTool][] {
  const tool = tools.find((one) => one.name === method)
  return tool === undefined ? [] : [[method, tool]]
}

const pageSize = 500

/** In pages, because a large API has thousands. */
export function pageOfTools(listing: DirectListing, cursor: string | undefined): { tools: Tool[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor)
  if (!Number.isInteger(start) || start < 0) throw new ExecutorError("invalid_request", "The cursor is not from this list")
  const all = [...listing.tools]
  const tools = all.slice(start, start + pageSize).map(([name, tool]) => toTool(name, tool))
  const end = start + tools.length
  return end < all.length ? { tools, nextCursor: String(end) } : { tools }
}

const toTool = (name: string, { title, description, effect, inputSchema, outputSchema }: DirectTool): Tool => ({
  name,
  // Both are an upstream's words, which some clients print as they are.
  title: safeText(title),
  description: safeText(description),
  // Model APIs refuse whatever else their clients are given with one that is no plain object; the gate checks by the tool's own.
  inputSchema: { ...toPlainObject(inputSchema), type: "object" },
  // Clients of older revisions take objects only.
  ...(outputSchema?.["type"] === "object" ? { outputSchema: { ...outputSchema, type: "object" } } : {}),
  annotations: { readOnlyHint: effect === "read", ...(effect === "read" ? {} : { destructiveHint: effect === "destroy" }) },
})
