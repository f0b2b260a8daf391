// The resolve stage: finds the target of a call, which says how its arguments are checked, how it is opened and called.
import type { RequestPreview } from "../../core/execution.ts"
import { hasRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { readBinding } from "../../core/registry/binding.ts"
import { registrySlug } from "../../core/registry/tool.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import { fail } from "../../core/result.ts"
import { withoutRoot } from "../../core/address.ts"
import type { ArgsChecker } from "../../catalog/tools/argument-checks.ts"
import { adapterFor } from "../../catalog/source-adapters.ts"
import type { CatalogParts } from "../../catalog/catalog-parts.ts"
import { prepareArgsCheck } from "../../arguments/arguments.ts"
import type { ArgsCheck } from "../../arguments/arguments.ts"
import { readConfig } from "../../catalog/integrations/integration.ts"
import type { StaticTool } from "../../catalog/static-tool.ts"
import { findTool } from "../../catalog/tools/access.ts"
import type { ToolAccessParts } from "../../catalog/tools/access.ts"
import { isChanged } from "../../catalog/connections/tool-pins.ts"
import type { ResolvedTool } from "../../catalog/tools/resolver.ts"
import { slugOfPath } from "../../catalog/tools/working-copies.ts"
import type { ResolveMode } from "../../catalog/tools/working-copies.ts"
import { hiddenTool } from "../../catalog/tools/visible-tools.ts"
import { unconnected } from "../../catalog/tools/unconnected.ts"
import { isLocalPath } from "../../core/workspaces/workspace.ts"
import { sha256 } from "../../io/ids.ts"
import type { CallTarget, ToolCall } from "./call.ts"
import { openCall } from "./credential-stage.ts"
import { withOwnConsent } from "./own-consent.ts"
import { callRenewing } from "./renewal.ts"
import { withSuggestions } from "./path-suggest.ts"
import type { SuggestParts } from "./path-suggest.ts"
import { withConnectUrl } from "./connect-link.ts"
import { refOf } from "../../store/store.ts"

export type TargetParts = CatalogParts & SuggestParts & ToolAccessParts & { readonly argsChecker: ArgsChecker }

export type TargetResolution = { readonly ok: true; readonly target: CallTarget } | ToolFailure

export async function resolveTarget(principal: Principal, path: string, mode: ResolveMode, parts: TargetParts): Promise<TargetResolution> {
  const found = await findTool(principal, path, parts, mode)
  if (!found.ok) {
    // Of a workspace it says itself which tools it has.
    if (found.error.code !== "tool_not_found" || isLocalPath(path)) return found
    return (
      (await unpublished(principal, path, parts)) ??
      (await unconnected(principal, path, parts)) ??
      withSuggestions(principal, path, found, parts)
    )
  }
  if (found.kind === "static") return { ok: true, target: staticTarget(principal, found.tool) }
  return { ok: true, target: await withOwnConsent(principal, found.found, connectionTarget(principal, found.found, parts), parts) }
}

/** Whoever may edit it learns that there is something to publish; others only of what was there for them before. */
async function unpublished(principal: Principal, path: string, { workingCopies, access }: TargetParts): Promise<ToolFailure | null> {
  const slug = slugOfPath(path)
  const caller = slug === null ? null : await access.of(principal)
  if (slug === null || caller === null || hiddenTool(registrySlug, slug, caller) !== null) return null
  // Code of tools acts as an agent of whoever calls it, who may read what it answers.
  const reader = await access.of({ tenant: principal.tenant, user: principal.user, tokenId: principal.tokenId })
  const mayEdit = reader !== null && hasRight(reader.principal, "registry.write")
  const hint = await workingCopies.hint(principal, slug, mayEdit ? "editor" : "caller")
  return hint === null ? null : fail("tool_not_found", hint, { details: { suggestions: [] } })
}

/** With the arguments as its tool reads them: for the check, policy, the approval, the journal and the call alike. */
export function withReadArgs(call: ToolCall, { readArgs }: CallTarget): ToolCall {
  const args = readArgs?.(call.args) ?? call.args
  return args === call.args ? call : { ...call, args, argsJson: JSON.stringify(args) }
}

/** The tool as a call with these arguments uses it; for policy, the journal and the approval alike. */
export async function targetOfCall(target: CallTarget, args: Readonly<Record<string, unknown>>): Promise<CallTarget> {
  if (target.effectOf === null) return target
  const effect = await target.effectOf(args)
  return { ...target, effect, requiresApproval: effect !== "read" || target.addressArg !== undefined }
}

function connectionTarget(principal: Principal, found: ResolvedTool, parts: TargetParts): CallTarget {
  const { tool } = found
  const adapter = parts.adapters.get(found.integration.kind)
  return {
    address: found.address,
    subject: withoutRoot(found.address),
    effect: tool.effect,
    isEffectAssumed: adapter?.assumesEffect?.(tool) ?? false,
    requiresApproval: tool.requiresApproval,
    effectOf: adapter?.effectOf?.(tool, parts.limits) ?? null,
    execution: adapter?.executionOf?.(tool) ?? null,
    readArgs: adapter?.readArgsOf?.(tool) ?? null,
    alwaysAsks: isChanged(found),
    version: () => (found.integration.kind === "registry" ? readBinding(tool.binding).version : null),
    title: tool.title,
    approvalDescription: isChanged(found)
      ? `${withoutRoot(found.address)}, which has changed since a human accepted it`
      : tool.approvalDescription,
    definitionHash: () =>
      sha256(
        JSON.stringify([
          tool.name,
          tool.description,
          tool.inputSchemaHash,
          tool.outputSchemaHash,
          tool.binding,
          // Where it goes to is in the config.
          found.integration.configRevisedAt,
        ]),
      ),
    checkArgs: (args, argsJson) => parts.argsChecker.check(principal, tool, args, argsJson),
    preview: (args) =>
      adapterFor(found.integration.kind, parts).previewRequest?.({ config: readConfig(found.integration), binding: tool.binding, args }) ??
      null,
    async open() {
      const linked = <Answer extends ToolResult | { readonly ok: true }>(answer: Answer): Answer =>
        withConnectUrl(answer, refOf(found.connection), parts.oauthLinks)
      const opened = linked(await openCall(principal, found, parts))
      if (!opened.ok) return opened
      return { ok: true, secrets: opened.secrets, call: async (run) => linked(await callRenewing(run, found, opened, principal, parts)) }
    },
  }
}

const staticChecks = new WeakMap<StaticTool, ArgsCheck>()

function staticTarget(principal: Principal, tool: StaticTool): CallTarget {
  const check = staticChecks.get(tool) ?? prepareArgsCheck(tool.inputSchema, () => undefined)
  staticChecks.set(tool, check)
  return {
    address: tool.fqid,
    subject: tool.fqid,
    effect: tool.effect,
    requiresApproval: tool.requiresApproval,
    execution: null,
    readArgs: tool.readArgs ?? null,
    effectOf: tool.effectOf === undefined ? null : (args) => Promise.resolve(tool.effectOf?.(args) ?? tool.effect),
    ...(tool.addressArg === undefined ? {} : { addressArg: tool.addressArg }),
    alwaysAsks: tool.alwaysAsks,
    version: () => null,
    title: tool.title,
    approvalDescription: null,
    definitionHash: () => sha256(JSON.stringify([tool.fqid, tool.title, tool.description, tool.inputSchema])),
    checkArgs: (args, argsJson) => {
      const verdict = check.check(args, argsJson)
      return Promise.resolve(verdict.ok ? null : fail("invalid_arguments", verdict.message, { details: { issues: verdict.issues } }))
    },
    preview: (args) => addressPreview(tool, args),
    open: () => Promise.resolve({ ok: true, secrets: [], call: (run) => tool.call({ ...run, principal }) }),
  }
}

/** For a tool that goes where its caller says: that is what a human has to see. */
function addressPreview({ addressArg, effect }: StaticTool, args: Record<string, unknown>): RequestPreview | null {
  const url = addressArg === undefined ? undefined : args[addressArg]
  if (typeof url !== "string") return null
  return { method: typeof args["method"] === "string" ? args["method"] : effect === "read" ? "GET" : "POST", url }
}
