// Calls registry tools against real servers, so that tests see what a binding and arguments become.
import { plainCall } from "../../../../test/servers/call-context.ts"
import { startEcho } from "../../../../test/servers/echo.ts"
import type { Echo } from "../../../../test/servers/echo.ts"
import { ExecutorError } from "../../../core/errors.ts"
import { withLimits } from "../../../core/limits.ts"
import type { Limits } from "../../../core/limits.ts"
import type { RegistryBinding } from "../../../core/registry/binding.ts"
import { fail } from "../../../core/result.ts"
import type { ToolResult } from "../../../core/result.ts"
import { silentLog } from "../../../io/log.ts"
import { createNetwork } from "../../../io/network/guarded-fetch.ts"
import type { CallRequest, SourceAdapter } from "../../source-adapter.ts"
import { createRegistryAdapter } from "../adapter.ts"
import type { RegistryPorts } from "../ports.ts"

export type Given = {
  readonly binding?: Partial<RegistryBinding>
  readonly limits?: Partial<Limits>
  readonly request?: Partial<CallRequest<unknown>>
}

export type RegistryCaller = {
  readonly adapter: SourceAdapter
  readonly echo: Echo
  call(type: string, implementation: Record<string, unknown>, args?: Record<string, unknown>, given?: Given): Promise<ToolResult>
  close(): Promise<void>
}

export const bindingOf = (type: string, implementation: Record<string, unknown>, more: Partial<RegistryBinding> = {}): RegistryBinding => ({
  toolId: "tool_1",
  slug: "sample",
  version: "1.0.0",
  type,
  implementation,
  execution: {},
  artifact: null,
  literalUrls: [],
  publishedBy: "somebody",
  writtenBy: "somebody",
  deprecation: null,
  ...more,
})

/** The vault: every reference `ref:<value>` stands for its value. */
export const openSecret = async (ref: string): Promise<Record<string, string> | null> =>
  ref.startsWith("ref:") ? { value: ref.slice("ref:".length) } : null

export const secret = (value: string): { $secret: string } => ({ $secret: `ref:${value}` })

export async function startRegistryCaller(ports: Partial<RegistryPorts> = {}): Promise<RegistryCaller> {
  const echo = await startEcho()
  // As on a server that listens on loopback only.
  const network = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: true, limits: withLimits({}), log: silentLog })
  const adapter = createRegistryAdapter({
    network,
    version: "0",
    functions: { find: () => null, call: async (name) => fail("not_found", `There is no function '${name}'`) },
    builtins: { call: () => null, effectOf: () => null },
    pipelines: { query: async () => null },
    tenantCredentials: { open: async () => null },
    agents: { findPublished: async () => null },
    resolveEnv: (text) => text.replace("${env:KEY}", "key-of-the-environment"),
    secretForms: (text) => [text],
    redactor: () => (text) => text,
    ...ports,
  })
  return {
    adapter,
    echo,
    async call(type, implementation, args = {}, { binding, limits, request } = {}) {
      echo.ledger.length = 0
      const text = JSON.stringify(bindingOf(type, implementation, { literalUrls: [echo.url], ...binding }))
      const base = { ...plainCall, ...request }
      try {
        const credential = await adapter.openCredential?.({ scope: base.connection.scope, binding: text, openSecret })
        return await adapter.callTool({
          config: {},
          tool: { name: "sample", binding: text, inputSchema: "{}" },
          args,
          credential: credential ?? { placements: [], origins: [], secrets: [] },
          outbound: network.outbound({ literalUrls: [] }),
          limits: withLimits(limits ?? {}),
          signal: new AbortController().signal,
          log: silentLog,
          ...base,
        })
      } catch (error) {
        // As the credential stage of the gate does.
        if (error instanceof ExecutorError) return fail("auth_required", error.message)
        throw error
      }
    },
    close: async () => void (await Promise.all([echo.close(), network.close()])),
  }
}
