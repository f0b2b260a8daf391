// Answers a path that leads to no tool: with paths that are near, or with what there is instead.
import { withoutRoot } from "../../core/address.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { Builtin } from "../../catalog/builtins/builtins.ts"
import { closestName } from "../../arguments/arguments.ts"
import type { ReadInventory } from "../../catalog/tools/inventory.ts"
import type { ToolSearch } from "../../catalog/tools/search.ts"
import { hasStatic, visibleTools } from "../../catalog/tools/visible-tools.ts"
import type { VisibleParts } from "../../catalog/tools/visible-tools.ts"

export type SuggestParts = VisibleParts & {
  readonly finder: ToolSearch
  readonly inventory: ReadInventory
  readonly builtins: ReadonlyMap<string, Builtin>
}

const suggestionsMax = 5
const slugsMax = 10
const slugCharsMax = 60

/** What models try before they know how tools are called, and what they mean by it. */
const wrongRoots: Readonly<Record<string, { readonly hint: string; readonly suggestions: readonly string[] }>> = {
  ...Object.fromEntries(
    ["call", "invoke", "execute", "run", "use", "callTool"].map((name) => [
      name,
      { hint: 'Call a tool by its path: tools["<path>"](args); find paths with tools.search({ query }).', suggestions: ["search"] },
    ]),
  ),
  ...Object.fromEntries(
    ["describe", "schema", "help"].map((name) => [
      name,
      { hint: 'Describe a tool with tools.describe.tool({ path: "<path>" }).', suggestions: ["describe.tool"] },
    ]),
  ),
  ...Object.fromEntries(
    ["list", "find", "tools", "keys"].map((name) => [
      name,
      { hint: "Find tools with tools.search({ query }).", suggestions: ["search", "executor.sources.list"] },
    ]),
  ),
}

export async function withSuggestions(principal: Principal, path: string, failure: ToolFailure, parts: SuggestParts): Promise<ToolFailure> {
  const root = withoutRoot(path)
  const wrong = Object.hasOwn(wrongRoots, root) ? wrongRoots[root] : undefined
  if (wrong !== undefined) return { ok: false, error: { ...failure.error, details: wrong } }
  const [slug = ""] = root.split(".", 1)
  const slugs = (await parts.inventory(principal)).items.map((item) => item.slug)
  const isKnown = slugs.includes(slug) || hasStatic(await visibleTools(principal, parts), slug)
  const suggestions = isKnown
    ? await parts.finder.suggest(principal, path, suggestionsMax)
    : await nearUnknown(principal, root, slug, slugs, parts)
  const hint = isKnown || suggestions.length > 0 ? {} : { hint: noSuchSlug(slug, slugs) }
  return { ok: false, error: { ...failure.error, details: { suggestions, ...hint } } }
}

/** Nobody can tell what was meant by the name of a service that is not there, unless it is a slip of the pen or was left out. */
async function nearUnknown(
  principal: Principal,
  root: string,
  slug: string,
  slugs: readonly string[],
  { builtins, finder }: SuggestParts,
): Promise<readonly string[]> {
  const builtin = closestName(root, [...builtins.keys()])
  if (builtin !== null) return [builtin]
  const near = closestName(slug, slugs)
  const suggested = await finder.suggest(principal, near === null ? root : near + root.slice(slug.length), suggestionsMax)
  if (near !== null) return suggested
  const rest = root.slice(slug.length + 1)
  // One word alone is a name that many tools have.
  const wanted = [root, rest].filter((name) => name.includes("."))
  return suggested.filter((one) => wanted.some((name) => one.endsWith(`.${name}`) || closestName(name, tailsOf(one)) !== null))
}

/** A tool's name without its integration, and without owner and connection. */
const tailsOf = (path: string): string[] => [1, 3].map((from) => path.split(".").slice(from).join("."))

function noSuchSlug(slug: string, slugs: readonly string[]): string {
  const more = slugs.length > slugsMax ? ` and ${slugs.length - slugsMax} more` : ""
  const there = slugs.length === 0 ? "Nothing is connected yet." : `Integrations: ${slugs.slice(0, slugsMax).join(", ")}${more}.`
  return `There is no integration '${slug.slice(0, slugCharsMax)}'. ${there} Find tools with tools.search({ query }).`
}
