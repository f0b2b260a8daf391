// The parts of a plugin, as its author writes them.
import type { ElicitAnswer } from "../core/call/elicit.ts"
import type { JsonSchema } from "../core/tool.ts"
import type { InferInput, InferOutput, StandardSchema } from "./standard-schema.ts"

/** Tools that belong together, with the credentials that they share. */
export type Plugin = {
  /** `my-service`; with `-` as `_` it is what every path begins with. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** With any of them, the plugin is an integration that needs a connection. */
  readonly authProviders?: readonly AuthProvider[]
  readonly tools: readonly PluginTool[]
}

export const authProviderTypes = ["oauth2", "bearer", "api_key", "basic"] as const

/** What a connection must bring. */
export type AuthProvider = {
  /** The name that `ctx.auth.getToken` takes. */
  readonly id: string
  readonly type: (typeof authProviderTypes)[number]
  readonly description?: string
  /** Of `oauth2`: what it is called, and where its consent is given. */
  readonly provider?: string
  readonly scopes?: readonly string[]
  /** Its metadata says where everything is; otherwise the two below do, or a client that an admin makes. */
  readonly issuer?: string
  readonly authorizationUrl?: string
  readonly tokenUrl?: string
}

/** One operation; `defineTool` infers the types of its handler from its schemas. */
export type ToolDefinition<Input extends StandardSchema = StandardSchema, Output extends StandardSchema = StandardSchema> = {
  /** `my_service.items.list` */
  readonly path: string
  /** `List Items` */
  readonly name: string
  readonly description: string
  readonly inputSchema: Input
  readonly outputSchema?: Output
  /**
   * It creates, changes or deletes something: a human is asked first, unless a policy says otherwise. Where it is not
   * declared, a tool whose last segment begins with a reading verb (`list`, `get`, `search` …) only reads, and any other asks.
   */
  readonly destructive?: boolean
  /** Ends the call earlier than the limit of all calls does. */
  readonly timeoutMs?: number
  handler(ctx: ToolContext, input: InferOutput<Input>): HandlerAnswer<Output>
}

type HandlerAnswer<Output extends StandardSchema> = InferInput<Output> | Promise<InferInput<Output>>

/** A tool whose types have done their work. */
export type PluginTool = Omit<ToolDefinition, "handler"> & { handler(ctx: ToolContext, input: never): unknown }

/** What a handler works with during one call. */
export type ToolContext = {
  readonly auth: {
    /** The value that the connection has bound for this auth provider; throws `auth_required` where there is none. */
    getToken(providerId: string): Promise<string>
  }
  /**
   * Asks the human, and pauses the execution until they have answered: the handler is then run again from its start,
   * and gets the answer here. So ask before anything is changed, and always in the same order.
   */
  elicit(question: Question): Promise<ElicitAnswer>
  /** Aborted when the call is over: cancelled, too late, or paused. */
  readonly signal: AbortSignal
  readonly log: { debug(text: string): void; info(text: string): void; warn(text: string): void; error(text: string): void }
  /** `fetch`, limited in time and size, that reaches public hosts and those of EXECUTOR_ALLOW_PRIVATE_HOSTS. Failures are thrown as `ToolError`. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Tells whoever follows the execution how far this call is. */
  progress(progress: number, total?: number, message?: string): void
}

/** A form to fill in, or a page to open. */
export type Question =
  | { readonly message: string; readonly requestedSchema: StandardSchema | JsonSchema }
  | { readonly message: string; readonly url: string }

/** What the file `executor.config.ts` exports. */
export type ExecutorConfig = { readonly plugins?: readonly Plugin[] }
