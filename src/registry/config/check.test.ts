// Tests what each implementation type refuses, with what to write instead.
import { afterAll, expect, test } from "vitest"
import { createTool } from "../create.ts"
import { httpTool, openRegistry } from "../testing/parts.ts"

const registry = await openRegistry({ registryConfigBytesMax: 4000 })
afterAll(() => registry.close())

const make = async (implementationType: string, implementationConfig: Record<string, unknown>) =>
  createTool(await registry.admin(), httpTool({ implementationType, implementationConfig }), registry.parts)

const get = { method: "GET", url: "https://example.com/" }

test.each([
  ["http", { ...get, method: "get" }, "method must be one of GET"],
  ["http", { method: "GET" }, "url is required"],
  ["http", { ...get, url: "ftp://example.com" }, "must begin with https://"],
  ["http", { ...get, url: "{city}://example.com" }, "must begin with https://"],
  ["http", { ...get, url: "https://example.com:{city}/" }, "may not have {name} in its scheme, host or port"],
  ["http", { ...get, url: "https://example.com{city}" }, "may not have {name} in its scheme, host or port"],
  ["http", { ...get, url: "https://example.com\\@{city}" }, "backslashes"],
  ["http", { ...get, url: "https:///{city}" }, "is not an address"],
  ["http", { ...get, url: "https://user:pass@example.com/" }, "send them in headers"],
  ["http", { ...get, url: "https://example.com/?api_key=abc" }, "put it into query"],
  ["http", { ...get, headers: { host: "x" } }, "headers.host cannot be set"],
  ["http", { ...get, headers: { "Proxy-Authorization": "x" } }, "cannot be set"],
  ["http", { ...get, headers: { "a b": "x" } }, "is not the name of a header"],
  ["http", { ...get, headers: { a: "x\r\ny: z" } }, "on one line"],
  ["http", { ...get, headers: { a: 1 } }, "headers.a is kept secret, and so must be a text"],
  ["http", { ...get, query: [] }, "query must be an object"],
  ["http", { ...get, query: { a: {} } }, "query.a must be a text"],
  ["http", { ...get, body: {} }, "is not sent with GET"],
  ["http", { ...get, timeout_s: 0 }, "timeout_s must be"],
  ["http", { ...get, query: { a: "x".repeat(5000) } }, "larger than 4000 bytes"],
  ["function", { function_name: "ad_up" }, "'ad_up' is not registered on this server: the nearest are add_up, send"],
  ["mcp", { server_url: "https://example.com/{city}", tool_name: "x" }, "has no {name}"],
  ["mcp", { server_url: "https://example.com", tool_name: "x", annotations: { destructive: 1 } }, "annotations must be"],
  ["custom", {}, "code is required"],
  ["custom", { code: "return 1", uses: "github.*" }, "uses must be a list"],
  ["artifact", { code: "return 1", inputs: [{ name: "a" }, { name: "a" }] }, "has 'a' twice"],
  ["artifact", { code: "return 1", inputs: [{ name: "a-b" }] }, "inputs.0.name must match"],
  ["internal", { builtin: "web_surf" }, "There is no built-in 'web_surf'"],
  ["rag_retrieval", { pipeline_id: "pipe_1", top_k: 0 }, "top_k must be"],
  ["agent_call", {}, "target_agent_id is required"],
  ["agent_call", { target_agent_id: "a", target_agent_slug: "b" }, "not both"],
])("%s %j is refused", async (type, config, message) => {
  await expect(make(type, config)).rejects.toThrow(message)
})

test.each([
  ["http", { ...get, url: "https://example.com/{city}?token={city}" }],
  [
    "http",
    { method: "POST", url: "https://example.com", headers: { Authorization: "Bearer x" }, query: { a: 1 }, body: { b: 2 }, timeout_s: 5 },
  ],
  ["function", { function_name: "add_up" }],
  ["mcp", { server_url: "https://example.com/mcp", tool_name: "echo", annotations: { readOnlyHint: true } }],
  ["custom", { code: "return 1", uses: ["github.issues.*"] }],
  ["artifact", { code: "return 1", inputs: [{ name: "a", type: "string", required: true }] }],
  ["rag_retrieval", { pipeline_id: "pipe_1", top_k: 3 }],
  ["agent_call", { target_agent_slug: "helper", timeout_s: 30 }],
])("%s %j is taken", async (type, config) => {
  expect(await make(type, config)).toMatchObject({ implementationType: type, status: "draft" })
})

test("the version of an artifact stands beside its id", async () => {
  const given = httpTool({ implementationType: "http", implementationConfig: get, artifactVersion: "3" })
  await expect(createTool(await registry.admin(), given, registry.parts)).rejects.toThrow("artifactVersion is the version of an artifact")
})
