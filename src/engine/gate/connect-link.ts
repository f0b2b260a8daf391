// Adds a link to the page that explains how to add a credential to every result that requires one.
import { isHiddenIntegration } from "../../core/address.ts"
import { connectPage } from "../../catalog/oauth/links.ts"
import type { OauthLinks } from "../../catalog/oauth/links.ts"
import type { ToolResult } from "../../core/result.ts"

/** A link that the answer has already, such as one to a consent, leads further. What is made here has no such page. */
export function withConnectUrl<Answer extends { readonly ok: true } | Extract<ToolResult, { ok: false }>>(
  answer: Answer,
  slug: string,
  links: OauthLinks,
): Answer {
  if (answer.ok || answer.error.code !== "auth_required" || isHiddenIntegration(slug)) return answer
  const { details = {} } = answer.error
  const connectUrl = connectPage(slug, links)
  if (connectUrl === null || typeof details !== "object" || details === null || Array.isArray(details)) return answer
  return { ...answer, error: { ...answer.error, details: { connectUrl, ...details } } }
}
