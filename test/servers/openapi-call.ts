// Calls single OpenAPI operations against the echo server, so that tests see what a binding and arguments become.
import { plainCall } from "./call-context.ts"
import { expect } from "vitest"
import type { Credential } from "../../src/core/auth.ts"
import type { Limits } from "../../src/core/limits.ts"
import { withLimits } from "../../src/core/limits.ts"
import type { ToolResult } from "../../src/core/result.ts"
import type { JsonSchema } from "../../src/core/tool.ts"
import { createNetwork } from "../../src/io/network/guarded-fetch.ts"
import { silentLog } from "../../src/io/log.ts"
import type { BoundParameter, OpenApiBinding, OpenApiConfig } from "../../src/sources/openapi/binding.ts"
import { callOpenApiTool } from "../../src/sources/openapi/call/call-tool.ts"
import type { Echo, SeenRequest } from "./echo.ts"
import { startEcho } from "./echo.ts"

/** What differs from a GET of `/pets` at the echo server, with its origin confirmed and no credential. */
export type Given = {
  readonly binding?: Partial<OpenApiBinding>
  readonly inputSchema?: JsonSchema
  readonly config?: Partial<OpenApiConfig>
  readonly credential?: Partial<Credential>
  readonly limits?: Partial<Limits>
}

type Args = Record<string, unknown>

export type Caller = {
  readonly echo: Echo
  call(args: Args, given?: Given): Promise<ToolResult>
  /** What the server saw of a call that succeeded with one request. */
  seen(args: Args, given?: Given): Promise<SeenRequest>
  /** The message of a call that failed on its arguments, with no request at all. */
  refusal(args: Args, given?: Given): Promise<string>
  close(): Promise<void>
}

export async function startCaller(): Promise<Caller> {
  const echo = await startEcho()
  const network = createNetwork({ allowPrivateHosts: ["127.0.0.1"], trustLiteralUrls: false, limits: withLimits({}), log: silentLog })
  const outbound = network.outbound({ literalUrls: [] })
  const call = (args: Args, { binding, inputSchema, config, credential, limits }: Given = {}): Promise<ToolResult> => {
    const whole: OpenApiBinding = {
      method: "get",
      path: "/pets",
      servers: [echo.url],
      parameters: [],
      body: null,
      accept: ["application/json"],
      ...binding,
    }
    return callOpenApiTool({
      ...plainCall,
      config: { spec: null, baseUrl: null, headers: {}, variables: {}, include: [], exclude: [], ...config },
      tool: { name: "pets.get", binding: JSON.stringify(whole), inputSchema: JSON.stringify(inputSchema ?? {}) },
      args,
      credential: { placements: [], origins: [echo.url], secrets: [], ...credential },
      outbound,
      limits: withLimits(limits ?? {}),
      signal: new AbortController().signal,
      log: silentLog,
    })
  }
  return {
    echo,
    call,
    async seen(args, given) {
      echo.ledger.length = 0
      expect(await call(args, given)).toMatchObject({ ok: true })
      expect(echo.ledger).toHaveLength(1)
      return echo.ledger[0] as SeenRequest // just counted
    },
    async refusal(args, given) {
      echo.ledger.length = 0
      const result = await call(args, given)
      expect(result).toMatchObject({ ok: false, error: { code: "invalid_arguments", details: { issues: [{ code: "invalid_value" }] } } })
      expect(echo.ledger).toEqual([])
      return result.ok ? "" : result.error.message
    },
    close: async () => void (await Promise.all([echo.close(), network.close()])),
  }
}

/** A parameter with the defaults of its location. */
export const parameter = (name: string, place: BoundParameter["in"], more: Partial<BoundParameter> = {}): BoundParameter => ({
  name,
  arg: name,
  in: place,
  style: place === "query" || place === "cookie" ? "form" : "simple",
  explode: place === "query" || place === "cookie",
  allowReserved: false,
  contentType: null,
  ...more,
})
