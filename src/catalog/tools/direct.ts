// The tools of one integration with their schemas, as shown to a client that calls tools directly.
import type { ConnectionRef } from "../../core/address.ts"
import { withoutRoot, ToolAddress } from "../../core/address.ts"
import type { DirectTool, DirectTools } from "../../core/call/direct.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Principal } from "../../core/principal.ts"
import type { PolicyRule } from "../../core/policy.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { decide } from "../../policy/decide.ts"
import type { Store, ToolKey, ToolListRow, ToolRow } from "../../store/store.ts"
import type { PolicyEvaluator } from "../policies/evaluator.ts"
import type { StaticTools } from "../static-tool.ts"
import { reachableDefinitions } from "./schema-definitions.ts"

export type DirectToolParts = { readonly store: Store; readonly policyEvaluator: PolicyEvaluator; readonly staticTools: StaticTools }
/** Null where the principal sees no such integration. */
export type ReadDirectTools = (principal: Principal, integration: string) => Promise<DirectTools | null>

const cachedMax = 50
const pageRows = 500

/** Kept while the store's revision stands: a client lists before it calls, and lists again. */
export function createDirectTools(parts: DirectToolParts): ReadDirectTools {
  const known = new LruMap<string, Promise<DirectTools | null>>(cachedMax)
  let revision = parts.store.revision()
  return (principal, integration) => {
    const now = parts.store.revision()
    if (now !== revision) known.clear()
    revision = now
    const key = [principal.tenant, principal.user, principal.kind, integration].join("\0")
    const found = known.get(key)
    if (found !== undefined) return found
    const reading = readTools(principal, integration, parts)
    reading.catch(() => known.clear())
    return known.set(key, reading)
  }
}

async function readTools(principal: Principal, integration: string, parts: DirectToolParts): Promise<DirectTools | null> {
  const row = await parts.store.integrations.get(principal, integration)
  const rules = await parts.policyEvaluator.rules(principal)
  const fixed = staticTools(integration, rules, parts.staticTools)
  if (row === null) return fixed.length === 0 ? null : { kind: "plugin", tools: fixed }
  const tools: DirectTool[] = []
  const slices = createTimeSlices()
  for (let after: ToolKey | null = null; ;) {
    const rows: ToolListRow[] = await parts.store.tools.list(principal, { integration }, { after, limit: pageRows })
    for (const listed of rows) {
      if (slices.isOver()) await slices.next()
      const key: ToolKey = { ...refOf(listed), tool: listed.name }
      const tool = isShown(withoutRoot(ToolAddress.format(key)), rules) ? await parts.store.tools.get(principal, key) : null
      if (tool !== null) tools.push(await toDirect(principal, key, tool, row.kind, parts.store))
    }
    const last = rows.at(-1)
    if (rows.length < pageRows || last === undefined) return { kind: row.kind, tools: [...tools, ...fixed] }
    after = { ...refOf(last), tool: last.name }
  }
}

const refOf = ({ integration, owner, connection }: ConnectionRef): ConnectionRef => ({ integration, owner, connection })

async function toDirect(principal: Principal, key: ToolKey, tool: ToolRow, kind: string, store: Store): Promise<DirectTool> {
  const whole = async (text: string): Promise<JsonSchema> => {
    const schema = JSON.parse(text) as JsonSchema // the compiler emits objects
    const definitions = await reachableDefinitions(principal, tool.toolSetId, [text], store)
    const named = Object.fromEntries([...definitions].map(([name, definition]) => [name, JSON.parse(definition) as JsonSchema])) // as above
    return definitions.size === 0 ? schema : { ...schema, $defs: named }
  }
  return {
    address: ToolAddress.format(key),
    name: tool.name,
    connection: `${key.owner}.${key.connection}`,
    title: tool.title,
    description: tool.description,
    effect: tool.effect,
    inputSchema: { type: "object", ...(await whole(tool.inputSchema)) },
    outputSchema: kind === "mcp" && tool.outputSchema !== null ? await whole(tool.outputSchema) : null,
  }
}

const staticTools = (integration: string, rules: readonly PolicyRule[], tools: StaticTools): DirectTool[] =>
  tools
    .list()
    .filter(({ fqid, audience }) => fqid.startsWith(`${integration}.`) && audience === "everyone" && isShown(fqid, rules))
    .map(({ fqid, title, description, effect, inputSchema }) => ({
      address: fqid,
      name: fqid.slice(integration.length + 1),
      connection: "static",
      title,
      description,
      effect,
      inputSchema: { type: "object", ...inputSchema },
      outputSchema: null,
    }))

/** What is blocked for some arguments only can be called. */
function isShown(subject: string, rules: readonly PolicyRule[]): boolean {
  const verdict = decide({ subject, requiresApproval: false }, rules, null)
  return verdict.action !== "block" || verdict.conditional
}
