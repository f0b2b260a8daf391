// The part of a catalog's declarations that is the same for every catalog: results, errors and discovery.

/** `envelope`: a call answers its result or its error as a value. `raw`: it answers the data, and throws. */
export type ResultForm = "envelope" | "raw"

const callTypes: Record<ResultForm, string> = {
  envelope: "Promise<ToolResult<T>> & { unwrap(): Promise<T> }",
  raw: "Promise<T> & { unwrap(): Promise<T> }",
}

export const preludeText = (
  results: ResultForm,
): string => `// The tools that you can see, as types. Made from the catalog: changes are lost when it is made again.

export type ToolError = { code: string; message: string; status?: number; details?: unknown; retryable?: boolean };
export type ToolResult<T> =
  | { ok: true; data: T; http?: { status: number; headers: { [name: string]: string } } }
  | { ok: false; error: ToolError };
export type ToolCall<T> = ${callTypes[results]};
export type ToolFile = { _tag: "ToolFile"; name?: string; mimeType: string; encoding: "base64"; data: string; byteLength: number };

/** Tools that find tools; they answer without an envelope. */
export interface Discovery {
  search(args: { query: string; namespace?: string; limit?: number; offset?: number }): Promise<{
    items: { path: string; name: string; description: string; integration: string; score: number; requiresApproval: boolean }[];
    total: number;
    hasMore: boolean;
    nextOffset: number | null;
  }>;
  discover(args: { query: string; limit?: number; compact?: boolean; includeSchemas?: boolean }): Promise<{
    bestPath: string | null;
    results: { path: string; description: string; inputSchema?: unknown; outputSchema?: unknown }[];
    total: number;
  }>;
  describe: {
    tool(args: { path: string }): Promise<
      | {
          path: string;
          name: string;
          description: string;
          inputTypeScript: string;
          outputTypeScript: string;
          typeScriptDefinitions: { [name: string]: string };
          requiresApproval: boolean;
        }
      | { error: { code: "tool_not_found"; suggestions: string[] } }
    >;
  };
  catalog: {
    namespaces(args?: {}): Promise<string[]>;
    tools(args?: { namespace?: string; query?: string; limit?: number }): Promise<{ path: string; hint: string; namespace: string }[]>;
  };
  executor: {
    sources: {
      list(args?: { query?: string; limit?: number; offset?: number }): Promise<{
        items: { slug: string; kind: string; name: string; description: string; toolCount: number; connections: string[] }[];
        total: number;
        hasMore: boolean;
        nextOffset: number | null;
      }>;
    };
    results: {
      read(args: { executionId: string; offset?: number; length?: number }): Promise<{ text: string; nextOffset: number | null }>;
    };
  };
}
`
