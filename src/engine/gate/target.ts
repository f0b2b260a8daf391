// The resolve stage: finds the target of a call, which says how its arguments are checked, how it is opened and called.
import type { Principal } from "../../core/principal.ts"
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
import { isChanged } from "../../catalog/connections/tool-pins.ts"
import type { ResolvedTool, ToolResolver } from "../../catalog/tools/resolver.ts"
import { unconnected } from "../../catalog/tools/unconnected.ts"
import { sha256 } from "../../io/ids.ts"
import type { CallTarget } from "./call.ts"
import { openCall } from "./credential-stage.ts"
import { callRenewing } from "./renewal.ts"
import { withSuggestions } from "./path-suggest.ts"
import type { SuggestParts } from "./path-suggest.ts"
import { withConnectUrl } from "./connect-link.ts"

export type TargetParts = CatalogParts & SuggestParts & { readonly resolver: ToolResolver; readonly argsChecker: ArgsChecker }

export type TargetResolution = { readonly ok: true; readonly target: CallTarget } | ToolFailure

export async function resolveTarget(principal: Principal, path: string, parts: TargetParts): Promise<TargetResolution> {
  const found = await findTool(principal, path, parts)
  if (!found.ok) {
    if (found.error.code !== "tool_not_found") return found
    return (await unconnected(principal, path, parts)) ?? withSuggestions(principal, path, found, parts)
  }
  return {
    ok: true,
    target: found.kind === "static" ? staticTarget(principal, found.tool) : connectionTarget(principal, found.found, parts),
  }
}

/** The tool as a call with these arguments uses it; for policy, the journal and the approval alike. */
export async function targetOfCall(target: CallTarget, args: Readonly<Record<string, unknown>>): Promise<CallTarget> {
  if (target.effectOf === null) return target
  const effect = await target.effectOf(args)
  return { ...target, effect, requiresApproval: effect !== "read" }
}

function connectionTarget(principal: Principal, found: ResolvedTool, parts: TargetParts): CallTarget {
  const { tool } = found
  return {
    address: found.address,
    subject: withoutRoot(found.address),
    effect: tool.effect,
    isEffectAssumed: parts.adapters.get(found.integration.kind)?.assumesEffect?.(tool) ?? false,
    requiresApproval: tool.requiresApproval,
    effectOf: parts.adapters.get(found.integration.kind)?.effectOf?.(tool, parts.limits) ?? null,
    alwaysAsks: isChanged(found),
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
        withConnectUrl(answer, found.integration.slug, parts.oauthLinks)
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
    effectOf: null,
    alwaysAsks: tool.alwaysAsks,
    title: tool.title,
    approvalDescription: null,
    definitionHash: () => sha256(JSON.stringify([tool.fqid, tool.description, tool.inputSchema])),
    checkArgs: (args, argsJson) => {
      const verdict = check.check(args, argsJson)
      return Promise.resolve(verdict.ok ? null : fail("invalid_arguments", verdict.message, { details: { issues: verdict.issues } }))
    },
    preview: () => null,
    open: () => Promise.resolve({ ok: true, secrets: [], call: (run) => tool.call({ ...run, principal }) }),
  }
}
