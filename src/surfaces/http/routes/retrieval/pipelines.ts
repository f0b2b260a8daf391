// Retrieval pipelines over HTTP.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf } from "../shared-schema.ts"
import { documentRoutes } from "./documents.ts"
import { answer, embedding, pipeline, pipelineExample as example } from "./schema.ts"

export function pipelineRoutes(limits: Limits): Route[] {
  const bytesMax = limits.requestSmallBodyBytesMax
  const params = z.strictObject({ id: z.string().max(limits.nameCharsMax).meta({ description: "The id or the slug." }) })
  const one = { tag: "pipelines", params } as const
  const settings = {
    name: z.string(),
    chunking: z
      .strictObject({ tokens: z.int().exactOptional(), overlap: z.int().exactOptional() })
      .meta({ description: "How large chunks are, and how much of each is repeated in the next one; a token counts as four bytes." }),
    embedding: embedding.nullable().meta({ description: "What makes vectors; null: only words are compared." }),
  }
  const shown = (status: 200 | 201, description: string) => ({ status, description, schema: pipeline, example })
  const filter = z
    .strictObject({
      documentIds: z.array(z.string()).max(1000).exactOptional(),
      sourcePrefix: z.string().exactOptional(),
      titlePrefix: z.string().exactOptional(),
    })
    .meta({ id: "PipelineFilter", description: "What is given must all be true of a result's document." })

  return [
    defineRoute({
      id: "pipelines.list",
      tag: "pipelines",
      method: "get",
      path: "/pipelines",
      summary: "List pipelines",
      description: "By slug. For whoever may edit tools, or call `builtin.retrieval_pipeline`.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of pipelines.",
        schema: pageOf("PipelinePage", pipeline),
        example: { items: [example], nextCursor: null },
      },
      handle: ({ query }, api) => api.pipelines.list(query),
    }),
    defineRoute({
      id: "pipelines.create",
      tag: "pipelines",
      method: "post",
      path: "/pipelines",
      summary: "Make a pipeline",
      description: "Without documents yet. For humans with `registry.write`.",
      errors: ["forbidden", "conflict"],
      body: {
        schema: z
          .strictObject({
            name: settings.name,
            slug: z.string().exactOptional(),
            chunking: settings.chunking.exactOptional(),
            embedding: settings.embedding.exactOptional(),
          })
          .meta({ id: "PipelineCreate" }),
        bytesMax,
        spellings: "both",
        examples: {
          words: { name: "Handbook" },
          vectors: { name: "Handbook", embedding: { provider: "openai", model: "text-embedding-3-small", dimensions: 512 } },
        },
      },
      answer: shown(201, "The pipeline."),
      handle: ({ body }, api) => api.pipelines.create(body),
    }),
    defineRoute({
      ...one,
      id: "pipelines.get",
      method: "get",
      path: "/pipelines/{id}",
      summary: "Get a pipeline",
      description: "With the state of its index.",
      errors: ["forbidden", "not_found"],
      answer: shown(200, "The pipeline."),
      handle: ({ params: { id } }, api) => api.pipelines.get(id),
    }),
    defineRoute({
      ...one,
      id: "pipelines.update",
      method: "patch",
      path: "/pipelines/{id}",
      summary: "Change a pipeline",
      description:
        "Changes only the given fields. With another `chunking` or `embedding` an index is built beside the one that answers, and takes its place once it is complete. For humans with `registry.write`.",
      errors: ["forbidden", "not_found"],
      body: {
        schema: z
          .strictObject({
            name: settings.name.exactOptional(),
            chunking: settings.chunking.exactOptional(),
            embedding: settings.embedding.exactOptional(),
          })
          .meta({ id: "PipelineUpdate" }),
        bytesMax,
        spellings: "both",
        examples: { chunking: { chunking: { tokens: 200 } } },
      },
      answer: shown(200, "The pipeline as it is now."),
      handle: ({ params: { id }, body }, api) => api.pipelines.update(id, body),
    }),
    defineRoute({
      ...one,
      id: "pipelines.remove",
      method: "delete",
      path: "/pipelines/{id}",
      summary: "Remove a pipeline",
      description: "With its documents. Tools that ask it fail from then on. For humans with `registry.write`.",
      errors: ["forbidden", "not_found"],
      answer: noAnswer("It is gone."),
      handle: async ({ params: { id } }, api) => {
        await api.pipelines.remove(id)
        return undefined
      },
    }),
    defineRoute({
      ...one,
      id: "pipelines.query",
      method: "post",
      path: "/pipelines/{id}/query",
      summary: "Ask a pipeline",
      description:
        "The chunks that fit a question best. It is a call of `builtin.retrieval_pipeline`, so that roles and policies decide who may ask. `degraded` says that only words were compared: the embedding endpoint failed, or some chunks have no vector yet.",
      errors: ["forbidden", "not_found", "tool_blocked"],
      body: {
        schema: z
          .strictObject({
            query: z.string(),
            topK: z
              .int()
              .min(1)
              .max(limits.pipelineTopKMax)
              .exactOptional()
              .meta({ description: "At most so many results; 5 by default." }),
            filter: filter.exactOptional(),
          })
          .meta({ id: "PipelineQuestion" }),
        bytesMax,
        spellings: "both",
        examples: { question: { query: "How many days of holiday do I have?", topK: 3 } },
      },
      answer: {
        status: 200,
        description: "Best first.",
        schema: answer,
        example: {
          results: [
            {
              text: "Everybody has 30 days of holiday.",
              score: 7.2,
              documentId: "doc_0mw8x2c1a000f00d",
              title: "Holidays",
              source: "handbook/holidays.md",
              position: 0,
            },
          ],
        },
      },
      handle: ({ params: { id }, body }, api, signal) => api.pipelines.query(id, body, { signal }),
    }),
    ...documentRoutes(limits),
  ]
}
