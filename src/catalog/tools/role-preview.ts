// Which tools of the catalog some patterns match, before a role is given them.
import type { RolePreview } from "../../core/people/role.ts"
import type { Principal } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { checkPatterns } from "../../identity/people/input.ts"
import { requireHuman } from "../../identity/people/people.ts"
import { roleSubject, visibleBy } from "../../policy/visible.ts"
import type { IsVisible } from "../../policy/visible.ts"
import { toolPages } from "../../store/all-rows.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import type { StaticTools } from "../static-tool.ts"

/** Nobody learns of tools that they do not see themselves. */
export async function previewRole(
  principal: Principal,
  patterns: readonly string[],
  parts: CatalogParts & { readonly staticTools: StaticTools },
): Promise<RolePreview> {
  requireHuman(principal, "preview roles")
  const access = await parts.access.of(principal)
  const isMatched = visibleBy(checkPatterns(patterns, parts.limits))
  const matches: IsVisible = (subject) => isMatched(subject) && access?.isVisible(subject) === true
  const found = await subjects(principal, matches, parts)
  const sorted = [...found].toSorted()
  const shown = sorted.slice(0, parts.limits.rolePreviewToolsMax)
  return { count: sorted.length, tools: shown, isComplete: shown.length === sorted.length }
}

async function subjects(
  principal: Principal,
  matches: IsVisible,
  parts: CatalogParts & { readonly staticTools: StaticTools },
): Promise<Set<string>> {
  const found = new Set(
    parts.staticTools
      .list()
      .map(({ fqid }) => fqid)
      .filter(matches),
  )
  const slices = createTimeSlices()
  for await (const rows of toolPages(principal, {}, parts.store)) {
    for (const { integration, name } of rows) {
      const subject = roleSubject(integration, name)
      if (matches(subject)) found.add(subject)
    }
    if (slices.isOver()) await slices.next()
  }
  return found
}
