// Routes what a model answered: response items become calls, and calls reach their handlers.
import { defaultLimits } from "../core/limits.ts"
import { readToolCall } from "./call-read.ts"
import { type DispatchObserver, dispatch, matchesKind } from "./dispatch.ts"
import { FunctionCallError } from "./function-call-error.ts"
import { truncateOutput } from "./output-truncate.ts"
import { ToolRegistryBuilder } from "./registry-builder.ts"
import type { ToolRegistry } from "./registry.ts"
import type { ResponseInputItem, ResponseItem } from "./response-item.ts"
import { failureOutput, toResponse } from "./tool-output.ts"
import type { McpTools } from "./tool-part.ts"
import { toolParts } from "./tool-parts.ts"
import type { ConfiguredToolSpec, DynamicToolSpec, ToolCall, ToolHandler, ToolInvocation, ToolOutput, ToolSpec } from "./tool.ts"
import type { ToolsConfig } from "./tools-config.ts"

export type ToolRouterOptions = {
  readonly specs: readonly ConfiguredToolSpec[]
  readonly registry: ToolRegistry
  /** The tools of MCP servers that this router's specs describe. */
  readonly mcpTools?: ReadonlyMap<string, { readonly serverName: string; readonly toolName: string }>
  readonly outputTokensMax?: number
}

/** Who calls `dispatchToolCall` directly may have nothing to cancel it with. */
export type DispatchInvocation = Omit<ToolInvocation, "signal"> & { readonly signal?: AbortSignal }

/** Knows one list of tools, which never changes: what a call means is what the model was told. */
export class ToolRouter {
  readonly specs: readonly ToolSpec[]
  readonly #registry: ToolRegistry
  readonly #mcpTools: NonNullable<ToolRouterOptions["mcpTools"]>
  readonly #parallelNames: ReadonlySet<string>
  readonly #outputTokensMax: number

  constructor({ specs, registry, mcpTools = new Map(), outputTokensMax = defaultLimits.toolOutputTokensMax }: ToolRouterOptions) {
    if (!(outputTokensMax >= 1)) throw new TypeError(`outputTokensMax must be a number, 1 or more, and is ${outputTokensMax}.`)
    this.specs = specs.map(({ spec }) => spec)
    this.#registry = registry
    // A tool of another kind may have taken the name; calls of it are of that kind then.
    this.#mcpTools = new Map([...mcpTools].filter(([name]) => takesMcpCalls(registry.handler(name))))
    this.#parallelNames = new Set(specs.filter((one) => one.supportsParallel).map(({ spec }) => spec.name))
    this.#outputTokensMax = Math.floor(outputTokensMax)
  }

  static fromConfig(config: ToolsConfig, mcpTools: McpTools | null = null, dynamicTools: readonly DynamicToolSpec[] = []): ToolRouter {
    const liveTools: McpTools = mcpTools ?? new Map()
    const builder = new ToolRegistryBuilder(config.warn === undefined ? {} : { warn: config.warn })
    for (const addTools of toolParts(config, liveTools, dynamicTools)) addTools(builder)
    const [specs, registry] = builder.build()
    const { outputTokensMax } = config
    return new ToolRouter({ specs, registry, mcpTools: liveTools, ...(outputTokensMax !== undefined && { outputTokensMax }) })
  }

  /** Null if the item is not a call. Throws `FunctionCallError` if it is one that cannot be answered. */
  buildToolCall(item: ResponseItem): ToolCall | null {
    return readToolCall(item, this.#mcpTools)
  }

  /** The model's own shell tool has no spec here; its calls are scheduled like those of `shell`. */
  toolSupportsParallel(name: string): boolean {
    return this.#parallelNames.has(name === "local_shell" ? "shell" : name)
  }

  /** Gives an item for the model, whatever went wrong, unless it is so wrong that the turn has to end: then it throws. */
  async dispatchToolCall(invocation: DispatchInvocation, observer?: DispatchObserver): Promise<ResponseInputItem> {
    const { callId, payload, signal = new AbortController().signal } = invocation
    const output = await dispatch({ ...invocation, signal }, this.#registry, observer).catch(toFailure)
    return toResponse(truncateOutput(output, this.#outputTokensMax), callId, payload)
  }
}

const takesMcpCalls = (handler: ToolHandler | undefined): boolean =>
  handler === undefined || matchesKind(handler, { type: "mcp", server: "", tool: "", rawArguments: "{}" })

function toFailure(error: unknown): ToolOutput {
  if (error instanceof FunctionCallError && error.kind !== "fatal") return failureOutput(error)
  throw error
}
