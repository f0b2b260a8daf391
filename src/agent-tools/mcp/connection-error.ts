// What an MCP server could not do for an agent, in words for the model.
export class McpConnectionError extends Error {
  override readonly name = "McpConnectionError"
  /** Null where no server of the config is meant. */
  readonly server: string | null

  constructor(message: string, server: string | null, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.server = server
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
