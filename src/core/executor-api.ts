// What one principal can do: the surface that the SDK, the HTTP API and the client share.
import type { ConnectionCreate, ConnectionHealth, ConnectionUpdate, ConnectionView } from "./connection.ts"
import type { Owner, ToolAddress } from "./address.ts"
import type { Detection, IntegrationAdd, IntegrationPreview, IntegrationUpdate, IntegrationView } from "./integration.ts"
import type { Page, PageRequest } from "./page.ts"
import type { ToolResult } from "./result.ts"
import type { TokenCreate, TokenCreated, TokenView } from "./token.ts"
import type { ToolFilter, ToolSchemaView, ToolView } from "./tool.ts"

export type ConnectionKey = { readonly integration: string; readonly owner: Owner; readonly name: string }

/** Everything one principal can do. `executor/client` implements the same over HTTP. */
export interface ExecutorApi {
  readonly tools: {
    /** All visible tools; blocked ones only with `includeBlocked`. */
    list(filter?: ToolFilter): Promise<ToolView[]>
    page(filter: ToolFilter, page: PageRequest): Promise<Page<ToolView>>
    /** Null when the address does not resolve. */
    schema(address: ToolAddress | string): Promise<ToolSchemaView | null>
  }
  readonly integrations: {
    list(page?: PageRequest): Promise<Page<IntegrationView>>
    get(slug: string): Promise<IntegrationView>
    add(input: IntegrationAdd): Promise<IntegrationView>
    update(slug: string, change: IntegrationUpdate): Promise<IntegrationView>
    remove(slug: string): Promise<void>
    detect(url: string): Promise<Detection>
    preview(input: { readonly kind: string; readonly config: unknown }): Promise<IntegrationPreview>
  }
  readonly connections: {
    list(filter?: { readonly integration?: string; readonly owner?: Owner } & PageRequest): Promise<Page<ConnectionView>>
    get(key: ConnectionKey): Promise<ConnectionView>
    create(input: ConnectionCreate): Promise<ConnectionView>
    update(key: ConnectionKey, change: ConnectionUpdate): Promise<ConnectionView>
    refresh(key: ConnectionKey): Promise<ConnectionView>
    health(key: ConnectionKey): Promise<ConnectionHealth>
    remove(key: ConnectionKey): Promise<void>
  }
  readonly tokens: {
    list(page?: PageRequest): Promise<Page<TokenView>>
    create(input: TokenCreate): Promise<TokenCreated>
    remove(id: string): Promise<void>
  }
}

export type ExecuteOptions = { readonly signal?: AbortSignal; readonly timeoutMs?: number }

/** The in-process form: it also calls a tool directly. */
export interface PrincipalExecutor extends ExecutorApi {
  /** Calls one tool through the gate. */
  execute(address: ToolAddress | string, args?: Record<string, unknown>, options?: ExecuteOptions): Promise<ToolResult>
}
