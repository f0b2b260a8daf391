// Which session a request of the catalog or the engine means, and what it would be made of.
import { ConnectionAddress } from "../../../core/address.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { SourceNotice } from "../../../core/call/pass-through.ts"
import { isHarmlessHeader, isHarmlessVariable } from "../../../core/secret-variable.ts"
import type { Scope } from "../../../core/principal.ts"
import { sha256 } from "../../../io/ids.ts"
import type { CallRequest, ConnectionIdentity, ListRequest } from "../../source-adapter.ts"
import type { McpBinding } from "../binding.ts"
import { originsOf } from "../config.ts"
import type { McpConfig } from "../config.ts"
import type { SessionRequest } from "./pool.ts"

export type RequestParts = {
  /** Starting programs must have been allowed by the operator. */
  readonly allowsStdio: boolean
  /** The tools of this connection are others now; resolves when the catalog has them. */
  onToolsChanged(identity: ConnectionIdentity): Promise<void>
  /** The server of this connection says that it has others of something now. */
  onNotice?(identity: ConnectionIdentity, notice: SourceNotice): void
  /** Takes these secrets out of a text, in any form in which it may hold them. */
  redactor(secrets: readonly string[]): (text: string) => string
}

type Request = CallRequest<McpConfig> | ListRequest<McpConfig>

export function sessionRequest(request: Request, binding: McpBinding | null, parts: RequestParts): SessionRequest {
  const { config, credential, connection, outbound, limits, log } = request
  return {
    key: connection === null ? null : keyOf(connection),
    fingerprint: sha256(JSON.stringify([config, credential.placements, credential.origins])),
    urgency: binding === null ? "now" : "patient",
    tool: binding?.kind === "tool" ? binding.name : null,
    target: {
      label: connection === null ? "preview" : ConnectionAddress.format(connection.ref),
      config,
      credential,
      outbound,
      limits,
      log,
      redact: parts.redactor([...credential.secrets, ...secretsOf(config)]),
    },
    onNotice: (notice) => (connection === null ? undefined : parts.onNotice?.(connection, notice)),
    onToolsChanged: () => {
      if (connection !== null)
        void parts
          .onToolsChanged(connection)
          .catch((error: unknown) => log.warn({ error: String(error) }, "Changed tools could not be read"))
    },
  }
}

/** Why no session may be opened at all; null where one may. */
export function sessionRefusal({ config, credential, connection }: Request, parts: RequestParts): ExecutorError | null {
  if (config.transport === "stdio" && !parts.allowsStdio) return stdioRefused()
  const [origin] = originsOf(config)
  if (connection === null || origin === undefined || credential.origins.includes(origin)) return null
  return new ExecutorError(
    "auth_required",
    `The server is at ${origin}, which was not confirmed when the connection was created; nothing was sent. Confirm it with confirmOrigins`,
    { origin },
  )
}

export const stdioRefused = (): ExecutorError =>
  new ExecutorError(
    "forbidden",
    "stdio servers run programs on this machine, and other machines can reach this server: to allow them, an operator must set EXECUTOR_ALLOW_STDIO=1",
  )

/** One connection, one session; of those that members own, each has their own. */
export const keyOf = ({ scope, ref }: ConnectionIdentity): string =>
  `${scope.tenant}/${ref.owner === "user" ? scope.user : ""}/${ConnectionAddress.format(ref)}`

/** Whether a session is one of this integration's, whoever owns the connection. */
export const belongsTo =
  (scope: Scope, integration: string) =>
  (key: string): boolean =>
    key.startsWith(`${scope.tenant}/`) && key.includes(`/tools.${integration}.`)

/** What the config brings of its own; a URL's secrets are in its user info and query. */
export function secretsOf(config: McpConfig): string[] {
  if (config.transport === "stdio")
    return Object.entries(config.env).flatMap(([name, value]) => (isHarmlessVariable(name, value) ? [] : [value]))
  const url = new URL(config.url)
  const headers = Object.entries(config.headers).flatMap(([name, value]) => (isHarmlessHeader(name) ? [] : [value]))
  return [...headers, decodeURIComponent(url.password), ...url.searchParams.values()]
}
