// Tests the source as a whole: a document is found and compiled, and the tools it gives are called at a real server.
import { plainCall } from "../../../test/servers/call-context.ts"
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Echo } from "../../../test/servers/echo.ts"
import { startEcho } from "../../../test/servers/echo.ts"
import type { Listening } from "../../../test/servers/listen.ts"
import { listen } from "../../../test/servers/listen.ts"
import { defaultLimits } from "../../core/limits.ts"
import { toolFile } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { silentLog } from "../../io/log.ts"
import type { Network } from "../../io/network/outbound.ts"
import type { ListedTools } from "../source-adapter.ts"
import { openApiAdapter } from "./adapter.ts"

let echo: Echo
let documents: Listening
let network: Network

const documentOf = (server: string): Record<string, unknown> => ({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: server }],
  paths: {
    "/pets/{petId}": {
      get: {
        operationId: "pets/get",
        parameters: [
          { name: "petId", in: "path", required: true, schema: { type: "integer" } },
          { name: "fields", in: "query", explode: false, schema: { type: "array" } },
        ],
        responses: {},
      },
      put: {
        operationId: "pets/update",
        parameters: [{ name: "petId", in: "path", required: true, schema: { type: "integer" } }],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { type: "object", properties: { name: { type: "string" } } } } },
        },
        responses: {},
      },
    },
    "/photos": {
      post: {
        operationId: "photos/add",
        requestBody: {
          content: { "multipart/form-data": { schema: { type: "object", properties: { photo: { type: "string", format: "binary" } } } } },
        },
        responses: {},
      },
    },
  },
})

beforeAll(async () => {
  echo = await startEcho()
  const server = createServer((request, response) => {
    if (request.url === "/docs/pets.json" || request.url === "/openapi.json") response.end(JSON.stringify(documentOf(echo.url)))
    else response.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html" }).end('<h1>Pets</h1> { "openapi": "3.1.0" }')
  })
  documents = await listen(server)
  network = createNetwork({ allowPrivateHosts: ["127.0.0.1"], trustLiteralUrls: false, limits: defaultLimits, log: silentLog })
})
afterAll(() => Promise.all([echo.close(), documents.close(), network.close()]))

const common = (): {
  outbound: ReturnType<Network["outbound"]>
  limits: typeof defaultLimits
  signal: AbortSignal
  log: typeof silentLog
} => ({
  outbound: network.outbound({ literalUrls: [] }),
  limits: defaultLimits,
  signal: new AbortController().signal,
  log: silentLog,
})

describe("the openapi source", () => {
  it("compiles a document and calls its tools", async () => {
    const { config } = await openApiAdapter.parseConfig({ spec: `${documents.url}/docs/pets.json` })
    const credential = { placements: [], origins: [echo.url], secrets: [] }
    const listed: ListedTools = await openApiAdapter.listTools({ ...common(), connection: null, config, document: null, credential })
    expect(listed.facts).toMatchObject({ title: "Pets", origins: [echo.url], toolCount: 3 })
    const call = (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
      const binding = listed.tools.find((tool) => tool.name === name)?.binding ?? ""
      return openApiAdapter.callTool({ ...common(), ...plainCall, config, tool: { name, binding, inputSchema: "{}" }, args, credential })
    }
    expect(await call("pets.get", { petId: 7, fields: ["a", "b"] })).toMatchObject({
      ok: true,
      data: { method: "GET", path: "/pets/7?fields=a,b" },
    })
    expect(await call("pets.update", { petId: 7, name: "Rex" })).toMatchObject({
      ok: true,
      data: { method: "PUT", path: "/pets/7", body: '{"name":"Rex"}' },
    })
    expect(await call("photos.add", { photo: toolFile(Buffer.from("bytes"), "image/png", "p.png") })).toMatchObject({
      ok: true,
      data: { body: expect.stringContaining('filename="p.png"') },
    })
  })

  it.each(["/docs/pets.json", "/", "/somewhere"])("is found at %s", async (path) => {
    const found = await openApiAdapter.detect({ ...common(), url: documents.url + path })
    expect(found).toMatchObject({
      config: { spec: `${documents.url}${path === "/docs/pets.json" ? path : "/openapi.json"}` },
      facts: { title: "Pets" },
    })
  })

  it("is not found where there is none, and says why when nothing answers", async () => {
    expect(await openApiAdapter.detect({ ...common(), url: `${echo.url}/text` })).toBeNull()
    await expect(openApiAdapter.detect({ ...common(), url: "http://127.0.0.1:1/" })).rejects.toThrow("Could not connect to 127.0.0.1:1")
  })
})
