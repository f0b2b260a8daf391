// What of the catalog exists for a principal: what their roles include, and their token if it is narrowed, and no policy blocks.
//
// Lists, search, descriptions, types, the inventory, suggestions, the pass-through and the gate all ask here, so that what is
// listed is what can be called. Who somebody is, is read anew each time: what is kept for them is kept by `viewKey`, and
// read inside of what keeps it.
import type { PolicyRule } from "../../core/policy.ts"
import { isAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import { currentAccess } from "../../identity/access.ts"
import type { Access, AccessReader } from "../../identity/access.ts"
import { roleSubject, visibleBy } from "../../policy/visible.ts"
import type { ChooseNames } from "../../store/store.ts"
import { isShown } from "../policies/evaluator.ts"
import type { PolicyEvaluator } from "../policies/evaluator.ts"
import { slugOfStatic } from "../static-tool.ts"
import type { StaticTool, StaticTools } from "../static-tool.ts"

export type VisibleParts = { readonly access: AccessReader; readonly policyEvaluator: PolicyEvaluator; readonly staticTools: StaticTools }

type Connection = { readonly integration: string; readonly owner: string; readonly name: string }
/** By a tool's name; null: all of them. */
type NameFilter = ((name: string) => boolean) | null

export type VisibleTools = {
  /** As they are at this moment. */
  readonly principal: Principal
  /** Of a tool set what roles and token include; null: everything. */
  readonly choose: ChooseNames | null
  readonly rules: readonly PolicyRule[]
  /** The only integrations that can have something for them; null: any. */
  readonly integrations: readonly string[] | null
  /** Whether some tool of the integration may be for them, also of one that has none yet. */
  mayHave(integration: string): boolean
  /** What roles and token include of an integration; policies may block some of it. */
  includedIn(integration: string): NameFilter
  /** What can be called of a connection. */
  shownIn(connection: Connection): NameFilter
  /** Static tools that are for them, by roles, token and audience. */
  readonly staticTools: readonly StaticTool[]
  /** Those of them that can be called. */
  shownStatic(): readonly StaticTool[]
}

export async function visibleTools(principal: Principal, parts: VisibleParts): Promise<VisibleTools> {
  const access = await currentAccess(principal, parts)
  const rules = await parts.policyEvaluator.rules(access.principal)
  const { reach } = access
  const hasBlocks = rules.some((rule) => rule.action === "block")
  const includedIn = (integration: string): NameFilter =>
    reach.coverage(integration) === "all" ? null : (name) => reach.isVisible(roleSubject(integration, name))
  const staticTools = parts.staticTools.list().filter((tool) => hiddenStatic(tool, access) === null)
  return {
    principal: access.principal,
    choose: access.choose,
    rules,
    integrations: reach.integrations === null ? null : [...reach.integrations],
    mayHave: (integration) => reach.coverage(integration) !== "none",
    includedIn,
    shownIn({ integration, owner, name: connection }) {
      const isOwn = owner === "user" ? ownFilter(access.principal, integration) : null
      const isGiven = includedIn(integration)
      const isIncluded: NameFilter = isOwn === null ? isGiven : (name) => isOwn(name) && (isGiven?.(name) ?? true)
      if (!hasBlocks) return isIncluded
      return (name) => (isIncluded?.(name) ?? true) && isShown(`${integration}.${owner}.${connection}.${name}`, rules)
    },
    staticTools,
    shownStatic: () => (hasBlocks ? staticTools.filter(({ fqid }) => isShown(fqid, rules)) : staticTools),
  }
}

/** What somebody else's code reaches of an integration through the user's own connections; null: all of it. */
export function ownFilter({ own }: Pick<Principal, "own">, integration: string): NameFilter {
  if (own === undefined) return null
  const isVisible = visibleBy(own)
  return (name) => isVisible(roleSubject(integration, name))
}

/** Why a tool that was named exactly is not there for them; null where it is. A policy may still block it. */
export function hiddenTool(integration: string, tool: string, access: Access): ToolFailure | null {
  return hiddenSubject(roleSubject(integration, tool), access)
}

export function hiddenStatic(tool: StaticTool, access: Access): ToolFailure | null {
  const hidden = hiddenSubject(tool.fqid, access)
  if (hidden !== null || tool.audience === "everyone" || isAdmin(access.principal)) return hidden
  return fail("tool_blocked", `'${tool.fqid}' is for human admins`)
}

function hiddenSubject(subject: string, access: Access): ToolFailure | null {
  if (access.isVisible(subject)) return null
  const message = access.isVisibleByRoles(subject)
    ? `This token does not include '${subject}'; its user can make another one that does`
    : `None of your roles includes '${subject}'; ask an admin for one that does`
  return fail("tool_blocked", message)
}

/** Whether a first segment is that of static tools that are for them. */
export const hasStatic = ({ staticTools }: VisibleTools, slug: string): boolean => staticTools.some((tool) => slugOfStatic(tool) === slug)
