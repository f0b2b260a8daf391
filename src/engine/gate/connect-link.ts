// Adds a link to the page on which a human connects to every result that requires a credential.
import type { ConnectionRef } from "../../core/address.ts"
import { isHiddenIntegration } from "../../core/address.ts"
import { connectionPage } from "../../catalog/oauth/links.ts"
import type { OauthLinks } from "../../catalog/oauth/links.ts"
import type { ToolResult } from "../../core/result.ts"

/** A link that the answer has already, such as one to a consent, leads further. What is made here has no such page. */
export function withConnectUrl<Answer extends { readonly ok: true } | Extract<ToolResult, { ok: false }>>(
  answer: Answer,
  connection: ConnectionRef,
  links: OauthLinks,
): Answer {
  if (answer.ok || answer.error.code !== "auth_required" || isHiddenIntegration(connection.integration)) return answer
  const { details = {} } = answer.error
  const connectUrl = connectionPage(connection, links)
  if (connectUrl === null || typeof details !== "object" || details === null || Array.isArray(details)) return answer
  return { ...answer, error: { ...answer.error, details: { connectUrl, ...details } } }
}
