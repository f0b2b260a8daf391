// Sets what makes vectors of a tenant's tools.
import { ExecutorError } from "../../core/errors.ts"
import { requireAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { Embedding } from "../../core/retrieval/pipeline.ts"
import { newId } from "../../io/ids.ts"
import type { ToolEmbeddingRow } from "../../store/retrieval/retrieval-store.ts"
import type { RetrievalParts } from "../parts.ts"
import { checkEmbedding } from "../recipe.ts"

type SettingsParts = Pick<RetrievalParts, "store" | "limits" | "clock" | "embedders">

/** Answers what was set before. The same again changes nothing, so that its vectors stay. */
export async function setToolEmbedding(principal: Principal, given: Embedding, parts: SettingsParts): Promise<Embedding | null> {
  requireAdmin(principal, "set what search for tools is embedded with")
  const embedding = await checkEmbedding(principal, given, parts)
  const now = parts.clock.now()
  return parts.store.transaction(async (store) => {
    const row = await store.toolEmbeddings.get(principal)
    const text = JSON.stringify(embedding)
    if (row?.embedding !== text)
      await store.toolEmbeddings.put(principal, {
        id: newId("temb", now),
        embedding: text,
        createdBy: principal.user,
        createdAt: now.toISOString(),
      })
    return row === null ? null : readEmbedding(row)
  })
}

export async function removeToolEmbedding(principal: Principal, { store }: Pick<SettingsParts, "store">): Promise<Embedding> {
  requireAdmin(principal, "remove what search for tools is embedded with")
  return store.transaction(async (inside) => {
    const row = await inside.toolEmbeddings.get(principal)
    if (row === null) throw new ExecutorError("not_found", "Search for tools has no embedding; PUT /tools/search/embedding sets one")
    await inside.toolEmbeddings.remove(principal)
    return readEmbedding(row)
  })
}

/** Written above. */
export const readEmbedding = ({ embedding }: Pick<ToolEmbeddingRow, "embedding">): Embedding => JSON.parse(embedding) as Embedding
