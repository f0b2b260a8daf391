// Looks up a tool by its path without calling it, or explains why the principal cannot see it.
//
// The same decision serves lists, search, descriptions and calls: a rule that blocks refuses whoever names the tool.
import { withoutRoot } from "../../core/address.ts"
import { isAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolFailure } from "../../core/result.ts"
import { fail } from "../../core/result.ts"
import { verdictOn } from "../policies/evaluator.ts"
import type { PolicyEvaluator, PolicySubject } from "../policies/evaluator.ts"
import type { StaticTool, StaticTools } from "../static-tool.ts"
import { isChanged } from "../connections/tool-pins.ts"
import type { ToolResolver } from "./resolver.ts"

export type ToolAccessParts = {
  readonly resolver: ToolResolver
  readonly policyEvaluator: PolicyEvaluator
  readonly staticTools: StaticTools
}

export type ToolFacts = {
  readonly path: string
  readonly name: string
  readonly description: string
  readonly requiresApproval: boolean
}

/** A failure is `tool_blocked`, `tool_ambiguous` or `tool_not_found`, the last without suggestions. */
export type ToolAccess = { readonly ok: true; readonly facts: ToolFacts } | ToolFailure

export async function checkAccess(principal: Principal, path: string, parts: ToolAccessParts): Promise<ToolAccess> {
  const fixed = parts.staticTools.find(withoutRoot(path))
  if (fixed !== undefined) return checkStaticAccess(principal, fixed, parts)
  const resolution = await parts.resolver.resolve(principal, path)
  if (!resolution.ok) return resolution
  const { address, tool } = resolution.found
  const subject = { subject: withoutRoot(address), requiresApproval: tool.requiresApproval, alwaysAsks: isChanged(resolution.found) }
  return judge(principal, subject, { path: subject.subject, name: tool.title, description: tool.description }, parts)
}

async function checkStaticAccess(principal: Principal, tool: StaticTool, parts: ToolAccessParts): Promise<ToolAccess> {
  if (tool.audience === "admin" && !isAdmin(principal)) return forAdmins(tool)
  const subject = { subject: tool.fqid, requiresApproval: tool.requiresApproval, alwaysAsks: tool.alwaysAsks }
  return judge(principal, subject, { path: tool.fqid, name: tool.title, description: tool.description }, parts)
}

/** What is blocked for some arguments only can be called, so it is described. */
async function judge(
  principal: Principal,
  subject: PolicySubject,
  shown: Omit<ToolFacts, "requiresApproval">,
  parts: ToolAccessParts,
): Promise<ToolAccess> {
  const verdict = verdictOn(subject, await parts.policyEvaluator.rules(principal), null)
  if (verdict.action === "block" && !verdict.conditional) return blocked(subject.subject)
  return { ok: true, facts: { ...shown, requiresApproval: verdict.action === "require_approval" } }
}

export const blocked = (subject: string): ToolFailure => fail("tool_blocked", `A policy blocks '${subject}'`)

export const forAdmins = (tool: StaticTool): ToolFailure => fail("tool_blocked", `'${tool.fqid}' is for human admins`)
