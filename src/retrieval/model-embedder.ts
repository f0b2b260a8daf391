// Embeddings of the tenant's model providers.
import type { Models } from "../models/model.ts"
import type { Embedders } from "./embedder.ts"

export const modelEmbedders = (models: Models): Embedders => ({
  async find(scope, { provider: id, model, dimensions }) {
    const provider = await models.open(scope, id)
    if (provider === null) return null
    return {
      async embed(texts, signal, urgency) {
        const question = { model, texts, dimensions, signal }
        const answer = await provider.embed(urgency === "urgent" ? { ...question, isUrgent: true } : question)
        if (!answer.ok) throw new Error(answer.message)
        return answer.vectors.map((vector) => Float32Array.from(vector))
      },
    }
  },
})
