// Returns what a tool takes in one line's worth of parameters, and caches it: a tool set never changes.
import type { ToolName } from "../../core/address.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Scope } from "../../core/principal.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, Store, ToolRow } from "../../store/store.ts"
import { readSignature } from "../../typescript/typescript.ts"
import type { Signature } from "../../typescript/typescript.ts"
import type { FoundTool } from "./access.ts"
import { definitionIn, parseSchema, reachableDefinitions } from "./schema-definitions.ts"

/** Parameters refer to few definitions; what lies behind those is not shown. */
const definitionsMax = 60

const signatures = new LruMap<string, Signature>({ sizeMax: 10_000, weightMax: 8_000_000, weigh: charsOf })

export const signatureOf = async (scope: Scope, found: FoundTool & { ok: true }, store: Store): Promise<Signature> =>
  found.kind === "static" ? readSignature(found.tool.inputSchema, () => undefined) : signatureOfRow(scope, found.found.tool, store)

/** `name`: of the tool set that the connection points to. Null where it points to another one meanwhile. */
export async function signatureNamed(scope: Scope, row: ConnectionRow, name: string, store: Store): Promise<Signature | null> {
  const known = row.toolSetId === null ? undefined : signatures.get(keyOf(row.toolSetId, name))
  if (known !== undefined) return known
  const tool = await store.tools.get(scope, { ...refOf(row), tool: name as ToolName }) // one of the names of its tool set
  return tool === null ? null : signatureOfRow(scope, tool, store)
}

async function signatureOfRow(scope: Scope, tool: ToolRow, store: Store): Promise<Signature> {
  const key = keyOf(tool.toolSetId, tool.name)
  const known = signatures.get(key)
  if (known !== undefined) return known
  const texts = await reachableDefinitions(scope, tool.toolSetId, [tool.inputSchema], store, { most: definitionsMax })
  return signatures.set(
    key,
    readSignature(parseSchema(tool.inputSchema), (name) => definitionIn(texts, name)),
  )
}

const keyOf = (toolSetId: string, name: string): string => `${toolSetId} ${name}`

function charsOf({ parameters }: Signature): number {
  return parameters.reduce((sum, { name, type }) => sum + name.length + type.length, 100)
}
