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

/** A path as discovery answers it: \`tools[path](args)\` calls what it names. */
export type ToolPath = \`\${string}.\${string}\`;
export type ToolError = { code: string; message: string; status?: number; details?: unknown; retryable?: boolean };
/** Said beside an answer about the tool itself, such as that it is deprecated. */
export type ToolNotice = { code: string; message: string; replacedBy?: string };
export type ToolResult<T> =
  | { ok: true; data: T; http?: { status: number; headers: { [name: string]: string } }; notice?: ToolNotice }
  | { ok: false; error: ToolError; notice?: ToolNotice };
export type ToolCall<T> = ${callTypes[results]};
export type ToolFile = { _tag: "ToolFile"; name?: string; mimeType: string; encoding: "base64"; data: string; byteLength: number };

/** Any tool by its path, without types. */
export interface ToolsByPath {
  [path: ToolPath]: (args?: any) => ToolCall<any>;
}

export type ToolSearch = { query: string; namespace?: string; limit?: number; offset?: number };
export type ToolSearchItem = { path: ToolPath; signature: string; description: string; requiresApproval: boolean; deprecated?: true };
export type ToolSearchPage<Item> = {
  items: Item[];
  total: number;
  hasMore: boolean;
  nextOffset: number | null;
  /** No tool fits well; the items are the nearest ones, and \`message\` says which services are connected. */
  weak?: true;
  message?: string;
};
export type ToolMissing = { error: { code: "tool_not_found" | "tool_blocked"; message?: string; suggestions: string[] } };

/** Tools that find tools; they answer without an envelope. */
export interface Discovery {
  search(args: ToolSearch & { verbose: true }): Promise<ToolSearchPage<ToolSearchItem & { name: string; integration: string; score: number }>>;
  search(args: ToolSearch & { verbose?: boolean }): Promise<ToolSearchPage<ToolSearchItem>>;
  discover(args: { query: string; limit?: number; compact?: boolean; includeSchemas?: boolean }): Promise<{
    bestPath: ToolPath | null;
    results: { path: ToolPath; description: string; inputSchema?: unknown; outputSchema?: unknown }[];
    total: number;
  }>;
  describe: {
    /** Only the named definitions of its types. */
    tool(args: { path: string; definitions: [string, ...string[]] }): Promise<
      { path: ToolPath; typeScriptDefinitions: { [name: string]: string }; moreDefinitions?: string[] } | ToolMissing
    >;
    tool(args: { path: string; definitions?: [] }): Promise<
      | {
          path: ToolPath;
          name: string;
          description: string;
          inputTypeScript: string;
          outputTypeScript: string;
          typeScriptDefinitions: { [name: string]: string };
          /** Definitions that the types name, and that are not shown or not as a whole. */
          moreDefinitions?: string[];
          requiresApproval: boolean;
        }
      | ToolMissing
    >;
  };
  catalog: {
    namespaces(args?: {}): Promise<string[]>;
    tools(args?: { namespace?: string; query?: string; limit?: number }): Promise<{ path: ToolPath; hint: string; namespace: string }[]>;
  };
  executor: {
    sources: {
      list(args?: { query?: string; limit?: number; offset?: number }): Promise<{
        items: {
          slug: string; kind: string; name: string; description: string; toolCount: number; connections: string[];
          unready: { address: string; status: "ready" | "syncing" | "needs_credentials" | "needs_review" | "error"; error: string | null }[];
        }[];
        total: number;
        hasMore: boolean;
        nextOffset: number | null;
      }>;
    };
    results: {
      read(args: { executionId: string; offset?: number; length?: number }): Promise<{ text: string; nextOffset: number | null; total: number }>;
    };
  };
}
`

/** What stands in the code's scope besides the language. */
export const globalsText = `declare global {
  const tools: Tools;
  /** Shows a value to the user beside the result. */
  function emit(value: unknown): void;
  /** Keeps a value for later executions of the same session. */
  function store(key: string, value: unknown): Promise<void>;
  /** What was kept, or null. */
  function load(key: string): Promise<any>;
}
`
