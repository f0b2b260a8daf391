// Explains that a path cannot be resolved because its integration is not connected, so that no other spelling would help.
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { isOwner, withoutRoot } from "../../core/address.ts"
import type { Principal } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { ConnectionRow, IntegrationRow, Store } from "../../store/store.ts"
import { refOf } from "../../store/store.ts"
import { readFacts } from "../integrations/integration.ts"
import { connectPage, connectionPage } from "../oauth/links.ts"
import type { OauthLinks } from "../oauth/links.ts"
import { slugOfStatic } from "../static-tool.ts"
import { currentAccess } from "../../identity/access.ts"
import type { VisibleParts } from "./visible-tools.ts"

export type UnconnectedParts = VisibleParts & { readonly store: Store; readonly oauthLinks: OauthLinks }

const connectionsMax = 100

/** For a path that names no tool. Null where a connection that it may mean has tools, or where there is no such integration for them. */
export async function unconnected(principal: Principal, path: string, parts: UnconnectedParts): Promise<ToolFailure | null> {
  const [slug = "", owner = "", name = ""] = withoutRoot(path).split(".")
  if (parts.staticTools.list().some((tool) => slugOfStatic(tool) === slug)) return null
  const { reach } = await currentAccess(principal, parts)
  const integration = reach.coverage(slug) === "none" ? null : await parts.store.integrations.get(principal, slug)
  if (integration === null) return null
  const rows = await parts.store.connections.list(principal, { integration: slug }, { after: null, limit: connectionsMax })
  const named = isOwner(owner) ? rows.filter((row) => row.owner === owner && row.name === name) : []
  const meant = named.length > 0 ? named : rows
  if (meant.some((row) => row.toolSetId !== null)) return null
  const broken = meant.find((row) => row.status === "error")
  return broken === undefined ? withoutCredential(integration, meant[0], parts) : unreachable(broken)
}

function withoutCredential(integration: IntegrationRow, row: ConnectionRow | undefined, { oauthLinks }: UnconnectedParts): ToolFailure {
  const { slug } = integration
  const state = row === undefined ? `'${slug}' has no connection yet` : `The connection '${row.name}' of '${slug}' has no credential yet`
  const byConsent = readFacts(integration).auth.some((option) => option.template === "oauth2")
    ? `, or opens the link returned by executor.coreTools.oauth.start({ integration: "${slug}" })`
    : ""
  const url = row === undefined ? connectPage(slug, oauthLinks) : connectionPage(refOf(row), oauthLinks)
  const message = `${state}, so it has no tools. A human can connect it with: ${executorCommandOnPages} connections add ${slug}${byConsent}`
  return fail("auth_required", message, url === null ? {} : { details: { connectUrl: url } })
}

const unreachable = (row: ConnectionRow): ToolFailure =>
  fail(
    "upstream_unreachable",
    `The connection '${row.name}' of '${row.integration}' has no tools, because its source could not be read: ${row.error ?? "unknown"}. Once that is fixed, a human can run: ${executorCommandOnPages} connections refresh ${row.integration}`,
  )
