// Repeats a call once with a renewed credential if the upstream rejected only the old one.
//
// Where one call is one request, a refusal means that nothing was done, so that a write may be repeated as well. The
// handler of a plugin may have done something before it was refused: it is repeated where it only reads, and otherwise
// finds the new credential when it is called again.
import type { Credential } from "../../core/auth.ts"
import type { Scope } from "../../core/principal.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { CatalogParts } from "../../catalog/catalog-parts.ts"
import type { ResolvedTool } from "../../catalog/tools/resolver.ts"
import { redactAnswer } from "../../credentials/redact.ts"
import { toAuthFailure } from "./credential-stage.ts"
import type { OpenCall } from "./credential-stage.ts"
import type { SourceCall } from "./call.ts"
import { callSource } from "./call-stage.ts"

export async function callRenewing(
  call: SourceCall,
  found: ResolvedTool,
  opened: OpenCall,
  scope: Scope,
  parts: CatalogParts,
): Promise<ToolResult> {
  const answer = await callSource(call, found, opened, scope, parts)
  const { renew } = opened.credential
  if (renew === undefined || !isRefused(answer, found)) return answer
  // A large refusal has taken its turn, and there is a provider and a second answer to wait for.
  call.answerTurn.release()
  const renewed = await renewal(renew)
  if (!mayRepeat(call, answer, found)) return answer
  if ("ok" in renewed) return renewed
  const again = await callSource(call, found, { ...opened, credential: renewed }, scope, parts)
  // The gate knows only the secrets that it opened the call with.
  return redactAnswer(isRefused(again, found) ? await refusedAgain(again, renewed) : again, renewed.secrets)
}

async function renewal(renew: () => Promise<Credential>): Promise<Credential | ToolFailure> {
  try {
    return await renew()
  } catch (error) {
    return toAuthFailure(error)
  }
}

/** Who refuses what its provider has just issued wants something else: the credential says what. */
async function refusedAgain(answer: ToolResult, { renew }: Credential): Promise<ToolResult> {
  const renewed = renew === undefined ? null : await renewal(renew)
  return renewed !== null && "ok" in renewed ? renewed : answer
}

const isRefused = (answer: ToolResult, found: ResolvedTool): boolean =>
  !answer.ok && (answer.error.status === 401 || graphqlRefusals(answer, found).length > 0)

function mayRepeat({ effect }: SourceCall, answer: ToolResult, found: ResolvedTool): boolean {
  if (effect === "read") return true
  if (found.integration.kind === "plugin") return false
  // A GraphQL error with a path comes from a field, and others may have been performed before it.
  return graphqlRefusals(answer, found).every((error) => !("path" in error))
}

/** The errors with which GraphQL servers refuse a credential, whatever the status. Anybody else's body of this form says nothing. */
function graphqlRefusals(answer: ToolResult, { integration }: ResolvedTool): object[] {
  const details = answer.ok || integration.kind !== "graphql" ? null : answer.error.details
  const errors: unknown = typeof details === "object" && details !== null && "errors" in details ? details.errors : null
  return Array.isArray(errors) ? errors.filter(saysUnauthenticated) : []
}

function saysUnauthenticated(error: unknown): error is object {
  if (typeof error !== "object" || error === null || !("extensions" in error)) return false
  const { extensions } = error
  return typeof extensions === "object" && extensions !== null && "code" in extensions && extensions.code === "UNAUTHENTICATED"
}
