// MCP as bytes on the wire: what a client without any library sends, in both eras.

export type WireAnswer = { readonly status: number; readonly headers: Headers; readonly message: WireMessage | null; readonly text: string }
export type WireMessage = {
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly [key: string]: unknown
}

export type Wire = { readonly url: string; readonly token: string | null; readonly headers?: Record<string, string> }

export const modernVersion = "2026-07-28"
let nextId = 1

export async function post(wire: Wire, body: unknown, headers: Record<string, string> = {}): Promise<WireAnswer> {
  const response = await fetch(wire.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(wire.token === null ? {} : { authorization: `Bearer ${wire.token}` }),
      ...wire.headers,
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    message: lastMessage(text, response.headers.get("content-type") ?? ""),
  }
}

/** One request of the newest revision: everything the server must know is in it. */
export function modern(wire: Wire, method: string, params: Record<string, unknown>, capabilities: object = {}): Promise<WireAnswer> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": modernVersion,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
  }
  const name = params["name"] ?? params["uri"]
  return post(
    wire,
    { jsonrpc: "2.0", id: nextId++, method, params: { ...params, _meta: meta } },
    { "mcp-protocol-version": modernVersion, "mcp-method": method, ...(typeof name === "string" ? { "mcp-name": name } : {}) },
  )
}

/** Opens a session of an older revision; the answer sends further requests in it. */
export async function legacySession(wire: Wire): Promise<{ id: string; send(method: string, params?: object): Promise<WireAnswer> }> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "wire", version: "1" } }
  const opened = await post(wire, { jsonrpc: "2.0", id: nextId++, method: "initialize", params })
  const id = opened.headers.get("mcp-session-id") ?? ""
  const headers = { "mcp-session-id": id, "mcp-protocol-version": "2025-06-18" }
  await post(wire, { jsonrpc: "2.0", method: "notifications/initialized" }, headers)
  return { id, send: (method, given = {}) => post(wire, { jsonrpc: "2.0", id: nextId++, method, params: given }, headers) }
}

function lastMessage(text: string, type: string): WireMessage | null {
  const json = type.startsWith("text/event-stream")
    ? text
        .split("\n")
        .findLast((line) => line.startsWith("data: {"))
        ?.slice(6)
    : text
  try {
    return JSON.parse(json ?? "") as WireMessage // read as unknown by the tests
  } catch {
    return null
  }
}
