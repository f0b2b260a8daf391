// What an admin can do with the vectors of tools, each change with its audit.
import type { Principal } from "../../core/principal.ts"
import { requireAdmin } from "../../core/principal.ts"
import type { ToolEmbeddingApi, ToolEmbeddingView } from "../../core/retrieval/tool-embedding.ts"
import type { ToolSearch } from "../../catalog/tools/search.ts"
import type { RetrievalParts } from "../../retrieval/parts.ts"
import { removeToolEmbedding, setToolEmbedding } from "../../retrieval/tool-meaning/settings.ts"
import type { ToolMeaningSearch } from "../../retrieval/tool-meaning/tool-meaning.ts"
import { withAudit } from "./audit.ts"
import type { EngineParts } from "../engine-parts.ts"

type Parts = EngineParts & { readonly finder: ToolSearch; readonly toolMeaning: ToolMeaningSearch; readonly retrieval: RetrievalParts }

const subject = "tools"

export function toolEmbeddingApi(principal: Principal, parts: Parts): ToolEmbeddingApi {
  const audit = withAudit(principal, parts)
  const progress = async (): Promise<ToolEmbeddingView> => parts.toolMeaning.progress(principal, await parts.finder.meaningSets(principal))
  return {
    async get() {
      requireAdmin(principal, "read what search for tools is embedded with")
      return progress()
    },
    async set(embedding) {
      await audit(
        "tools.embedding.set",
        subject,
        () => setToolEmbedding(principal, embedding, parts.retrieval),
        (before) => ({ details: { before, after: embedding } }),
      )
      return progress()
    },
    remove: async () =>
      void (await audit(
        "tools.embedding.remove",
        subject,
        () => removeToolEmbedding(principal, parts.retrieval),
        (before) => ({ details: { before, after: null } }),
      )),
  }
}
