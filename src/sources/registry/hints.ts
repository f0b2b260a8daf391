// The hints of MCP servers about tools of the registry: opens what a request needs, and gives up soon.
import type { Limits } from "../../core/limits.ts"
import type { McpHints } from "../../core/registry/mcp-hints.ts"
import { openAnswerTurn } from "../../io/answer-turn.ts"
import type { Log } from "../../io/log.ts"
import { openTool } from "./credential.ts"
import type { RegistryPorts } from "./ports.ts"
import { headersIn, textOf } from "./types/typed-call.ts"

/** Whoever publishes waits for it. */
const hintTimeoutMs = 5000

type HintPorts = Pick<RegistryPorts, "network" | "version" | "tenantCredentials" | "resolveEnv" | "secretForms" | "redactor"> & {
  readonly limits: Limits
  readonly log: Log
}

export const createMcpHints = ({ limits, log, ...ports }: HintPorts): McpHints => ({
  async readOnly(scope, tool, openSecret) {
    const turn = openAnswerTurn(`${scope.tenant}/${scope.user}`, limits)
    try {
      const { implementation, secrets } = await openTool(tool, { scope, openSecret }, ports)
      // The protocol's library is large, and few need it.
      const { readOnlyHint } = await import("./mcp-hint.ts")
      const request = {
        serverUrl: textOf(implementation, "server_url"),
        headers: headersIn(implementation),
        outbound: ports.network.outbound({ literalUrls: tool.literalUrls }),
        limits,
        timeoutMs: hintTimeoutMs,
        signal: AbortSignal.timeout(hintTimeoutMs),
        answerTurn: turn,
        version: ports.version,
        log,
        redact: ports.redactor(secrets),
      }
      return await readOnlyHint(request, textOf(implementation, "tool_name"))
    } catch {
      // What is wrong with the server or a secret, a call will say.
      return null
    } finally {
      turn.end()
    }
  },
})
