// The resources of MCP servers, each with the server that it is from.
import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/client"
import type { McpCallOptions } from "./call-options.ts"

export type ListedResource = Resource & { readonly server: string }
export type ListedTemplate = ResourceTemplateType & { readonly server: string }

export type ResourcePage<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null }

/** Every page of a list, or the one at a cursor; null is the first. */
export type PageChoice = { readonly kind: "all" } | { readonly kind: "one"; readonly cursor: string | null }

/** A server that could not be used, and why. */
export type McpFailure = { readonly server: string; readonly message: string }

/** Which resources: all of all servers, all of one, or one page of one. */
export type ResourceRequest = {
  readonly server?: string
  /** Of the page before; only with `server`. */
  readonly cursor?: string
  readonly signal?: AbortSignal
}

export type ResourceList = {
  readonly resources: readonly ListedResource[]
  readonly nextCursor?: string
  /** Servers that are missing from the list. */
  readonly failures: readonly McpFailure[]
}

export type ResourceTemplateList = {
  readonly resourceTemplates: readonly ListedTemplate[]
  readonly nextCursor?: string
  readonly failures: readonly McpFailure[]
}

export interface McpResources {
  listResources(request?: ResourceRequest): Promise<ResourceList>
  listResourceTemplates(request?: ResourceRequest): Promise<ResourceTemplateList>
  readResource(uri: string): Promise<ReadResourceResult>
  readResource(server: string, uri: string, options?: McpCallOptions): Promise<ReadResourceResult>
}
