// Finds a tool by its path, or explains why the principal cannot see it.
//
// The same decision serves lists, search, descriptions and calls: what is hidden from whoever asks is not among what a path
// can mean, and a rule that blocks refuses whoever names the tool.
import { ToolAddress, withoutRoot } from "../../core/address.ts"
import { scopeOf } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { registrySlug } from "../../core/registry/tool.ts"
import type { ToolFailure } from "../../core/result.ts"
import { fail } from "../../core/result.ts"
import type { ToolKey } from "../../store/store.ts"
import { isShown, verdictOn } from "../policies/evaluator.ts"
import type { PolicySubject } from "../policies/evaluator.ts"
import type { StaticTool } from "../static-tool.ts"
import { isChanged } from "../connections/tool-pins.ts"
import type { ResolvedTool, ToolResolver } from "./resolver.ts"
import { noLonger } from "../../identity/access.ts"
import type { Access } from "../../identity/access.ts"
import { production, slugOfPath } from "./working-copies.ts"
import type { ResolveMode, WorkingCopies } from "./working-copies.ts"
import { isLocalPath } from "../../core/workspaces/workspace.ts"
import { hiddenStatic, hiddenTool, ownFilter } from "./visible-tools.ts"
import type { VisibleParts } from "./visible-tools.ts"
import type { WorkspaceTools } from "./workspace-tools.ts"

export type ToolAccessParts = VisibleParts & {
  readonly resolver: ToolResolver
  readonly workingCopies: WorkingCopies
  readonly workspaceTools: WorkspaceTools
}

export type FoundTool =
  | { readonly ok: true; readonly kind: "static"; readonly tool: StaticTool }
  | { readonly ok: true; readonly kind: "connected"; readonly found: ResolvedTool }

/** What roles and token include; a policy may still block it. A failure to find it is `tool_blocked`, `tool_ambiguous` or `tool_not_found`, the last without suggestions. */
export async function findTool(
  principal: Principal,
  path: string,
  parts: ToolAccessParts,
  mode: ResolveMode = production,
): Promise<FoundTool | ToolFailure> {
  const access = await parts.access.of(principal)
  if (access === null) return fail("unauthorized", noLonger)
  const fixed = parts.staticTools.find(withoutRoot(path))
  if (fixed !== undefined) return hiddenStatic(fixed, access) ?? { ok: true, kind: "static", tool: fixed }
  if (isLocalPath(path)) {
    const local = parts.workspaceTools.find(principal, path)
    return "ok" in local ? local : (hiddenStatic(local, access) ?? { ok: true, kind: "static", tool: local })
  }
  const slug = mode.kind === "debug" ? slugOfPath(path) : null
  if (slug !== null && mode.kind === "debug") return findWorkingCopy(access, path, slug, mode, parts)
  const resolution = await parts.resolver.resolve(scopeOf(principal), path)
  switch (resolution.kind) {
    case "found": {
      const { tool, integration } = resolution.found
      return (
        hiddenTool(integration.slug, tool.name, access) ??
        notNamed(principal, resolution.found) ?? { ok: true, kind: "connected", found: resolution.found }
      )
    }
    case "several": {
      const [first] = resolution.keys
      // They differ in their connections only, of which roles know nothing.
      const hidden = first === undefined ? null : hiddenTool(first.integration, first.tool, access)
      return hidden ?? chooseOne(access.principal, path, resolution.keys, parts)
    }
    case "none":
      return notFound(path)
  }
}

/** For whoever may edit it at this moment, and sees it. */
async function findWorkingCopy(
  access: Access,
  path: string,
  slug: string,
  mode: Extract<ResolveMode, { kind: "debug" }>,
  parts: ToolAccessParts,
): Promise<FoundTool | ToolFailure> {
  if (!(await mode.isAllowed()))
    return fail(
      "tool_blocked",
      `Nobody with the right 'registry.write' stands behind this execution any more, so that it cannot use '${withoutRoot(path)}' in debug mode; run it again without debug mode`,
    )
  const hidden = hiddenTool(registrySlug, slug, access)
  if (hidden !== null) return hidden
  const found = await parts.workingCopies.find(access.principal, slug)
  if (found === null) return notFound(path)
  return "ok" in found ? found : { ok: true, kind: "connected", found }
}

/** What a policy blocks is not meant. */
async function chooseOne(
  principal: Principal,
  path: string,
  keys: readonly ToolKey[],
  parts: ToolAccessParts,
): Promise<FoundTool | ToolFailure> {
  const rules = await parts.policyEvaluator.rules(principal)
  const candidates = keys.map((key) => withoutRoot(ToolAddress.format(key))).filter((subject) => isShown(subject, rules))
  const [only] = candidates
  if (only === undefined) return blocked(withoutRoot(path))
  if (candidates.length > 1)
    return fail("tool_ambiguous", `Tool path '${withoutRoot(path)}' matches ${candidates.length} connections; use one of the full paths`, {
      details: { candidates },
    })
  const resolution = await parts.resolver.resolve(scopeOf(principal), only)
  return resolution.kind === "found" ? { ok: true, kind: "connected", found: resolution.found } : notFound(path)
}

/** Code of others reaches the caller's own connections only where it names their tools. */
function notNamed(principal: Principal, { tool, connection, integration, address }: ResolvedTool): ToolFailure | null {
  if (connection.owner === "org" || (ownFilter(principal, integration.slug)?.(tool.name) ?? true)) return null
  return fail("tool_blocked", `'${withoutRoot(address)}' belongs to you alone, and the tool that calls it does not name it in its 'uses'`)
}

const pathCharsMax = 256

function notFound(path: string): ToolFailure {
  const bare = withoutRoot(path)
  const shown = bare.length > pathCharsMax ? `${bare.slice(0, pathCharsMax)}…` : bare
  return fail("tool_not_found", `Tool path '${shown}' not found`, { details: { suggestions: [] } })
}

export type ToolFacts = {
  readonly path: string
  readonly name: string
  readonly description: string
  readonly requiresApproval: boolean
}

/** What is blocked for some arguments only can be called, so it is described. */
export type ToolAccess = { readonly ok: true; readonly facts: ToolFacts; readonly tool: FoundTool } | ToolFailure

export async function checkAccess(
  principal: Principal,
  path: string,
  parts: ToolAccessParts,
  mode: ResolveMode = production,
): Promise<ToolAccess> {
  const tool = await findTool(principal, path, parts, mode)
  if (!tool.ok) return tool
  const subject = subjectOf(tool)
  const current = (await parts.access.of(principal))?.principal ?? principal
  const verdict = verdictOn(subject, await parts.policyEvaluator.rules(current), null)
  if (verdict.action === "block" && !verdict.conditional) return blocked(subject.subject)
  const { title, description } = tool.kind === "static" ? tool.tool : tool.found.tool
  const facts = { path: subject.subject, name: title, description, requiresApproval: verdict.action === "require_approval" }
  return { ok: true, facts, tool }
}

const subjectOf = (tool: FoundTool): PolicySubject =>
  tool.kind === "static"
    ? { subject: tool.tool.fqid, requiresApproval: tool.tool.requiresApproval, alwaysAsks: tool.tool.alwaysAsks }
    : {
        subject: withoutRoot(tool.found.address),
        requiresApproval: tool.found.tool.requiresApproval,
        alwaysAsks: isChanged(tool.found),
      }

export const blocked = (subject: string): ToolFailure => fail("tool_blocked", `A policy blocks '${subject}'`)
