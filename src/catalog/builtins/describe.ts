// `tools.describe.tool`: what one tool takes and returns, in a text that a model reads at once.
import { closestName } from "../../arguments/arguments.ts"
import { withoutRoot } from "../../core/address.ts"
import type { ToolDefinitions, ToolDescription } from "../../core/discovery.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolFailure } from "../../core/result.ts"
import { describeShort } from "../../search/search.ts"
import { checkAccess } from "../tools/access.ts"
import { toolBrief, toolDefinitions } from "../tools/schema-brief.ts"
import { unconnected } from "../tools/unconnected.ts"
import type { DiscoveryParts } from "./discovery-parts.ts"

export type DescribeQuery = { readonly path: string; readonly definitions?: readonly string[] }

export type ToolMissing = {
  readonly error: {
    readonly code: "tool_not_found" | "tool_blocked"
    /** Where more is known than that it is not there. */
    readonly message?: string
    readonly suggestions: readonly string[]
  }
}

const suggestionsMax = 5
/** What description and types should take together; long types leave the description a few sentences. */
const describedChars = 3400
const descriptionCharsMin = 600

export async function describeTool(
  principal: Principal,
  { path, definitions }: DescribeQuery,
  parts: DiscoveryParts,
): Promise<ToolDescription | ToolDefinitions | ToolMissing> {
  await parts.staleSync.run(principal)
  const access = await checkAccess(principal, path, parts)
  if (!access.ok) return { error: await missing(principal, path, access, parts) }
  const { facts, tool } = access
  if (definitions !== undefined && definitions.length > 0) {
    const { typeScriptDefinitions, more } = await toolDefinitions(principal, tool, definitions, parts)
    requireAll(definitions, typeScriptDefinitions, facts.path)
    return { path: facts.path, typeScriptDefinitions, ...(more.length === 0 ? {} : { moreDefinitions: more }) }
  }
  const { more, ...types } = await toolBrief(principal, tool, parts)
  const room = Math.max(descriptionCharsMin, describedChars - JSON.stringify(types).length)
  return { ...facts, description: paragraphs(facts.description, room), ...types, ...(more.length === 0 ? {} : { moreDefinitions: more }) }
}

/** As many whole sentences as fit, without markup where that is needed. */
function paragraphs(text: string, room: number): string {
  if (text.length <= room) return text
  let shown = ""
  for (const paragraph of text.slice(0, room * 8).split(/\n\s*\n/)) {
    const left = room - shown.length
    if (left < paragraphCharsMin) break
    shown += `${shown === "" ? "" : "\n"}${describeShort(paragraph, left)}`
  }
  return shown
}

const paragraphCharsMin = 60

function requireAll(wanted: readonly string[], found: Readonly<Record<string, string>>, path: string): void {
  const absent = wanted.find((name) => !Object.hasOwn(found, name))
  if (absent === undefined) return
  const message = `The types of '${path}' have no definition '${absent.slice(0, 100)}'; its types and moreDefinitions name those there are: tools.describe.tool({ path })`
  throw new ExecutorError("invalid_arguments", message, { issues: [{ path: "definitions", code: "invalid_value", message }] })
}

/** A short path that several connections offer is meant to be one of those. */
async function missing(principal: Principal, path: string, { error }: ToolFailure, parts: DiscoveryParts): Promise<ToolMissing["error"]> {
  if (error.code === "tool_blocked") return { code: "tool_blocked", message: error.message, suggestions: [] }
  const { details } = error
  if (error.code === "tool_ambiguous" && typeof details === "object" && details !== null && "candidates" in details)
    return { code: "tool_not_found", suggestions: (details.candidates as string[]).slice(0, suggestionsMax) } // written by the resolver
  const absent = await unconnected(principal, path, parts)
  if (absent !== null) return { code: "tool_not_found", message: absent.error.message, suggestions: [] }
  return {
    code: "tool_not_found",
    suggestions: await parts.finder.suggest(principal, await withKnownSlug(principal, path, parts), suggestionsMax),
  }
}

/** A slip of the pen in an integration's name still means that integration. */
async function withKnownSlug(principal: Principal, path: string, parts: DiscoveryParts): Promise<string> {
  const root = withoutRoot(path)
  const [slug = ""] = root.split(".", 1)
  const slugs = (await parts.inventory(principal)).items.map((item) => item.slug)
  const near = slugs.includes(slug) ? null : closestName(slug, slugs)
  return near === null ? root : near + root.slice(slug.length)
}
