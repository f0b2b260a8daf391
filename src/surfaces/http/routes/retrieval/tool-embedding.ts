// What makes vectors of tools, over HTTP.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { embedding } from "./schema.ts"

const view = z
  .object({
    embedding: embedding.nullable().meta({ description: "Null: search compares words alone." }),
    status: z
      .enum(["off", "embedding", "retrying", "ready"])
      .meta({ description: "`retrying`: the last attempt failed, and is repeated." }),
    toolsLeft: z.int().meta({ description: "Of the tools that you see, those that have no vector yet." }),
    error: z.string().nullable().meta({ description: "Why the last attempt failed." }),
  })
  .meta({ id: "ToolEmbedding" })

const set = { provider: "openai", model: "text-embedding-3-small", dimensions: 512 }
const path = "/tools/search/embedding"

export const toolEmbeddingRoutes = (limits: Limits): Route[] => [
  defineRoute({
    id: "toolEmbedding.get",
    tag: "tools",
    method: "get",
    path,
    summary: "Show what search for tools is embedded with",
    description: "What makes vectors of tools, and how far it is. For admins.",
    errors: ["forbidden"],
    answer: {
      status: 200,
      description: "What is set, and how far it is.",
      schema: view,
      example: { embedding: set, status: "embedding", toolsLeft: 310, error: null },
    },
    handle: (_request, api) => api.toolEmbedding.get(),
  }),
  defineRoute({
    id: "toolEmbedding.set",
    tag: "tools",
    method: "put",
    path,
    summary: "Set what search for tools is embedded with",
    description:
      "From now on the texts of tools, and the requests of searches, are sent to this model of a model provider, and what is near by meaning is found as well as what shares words. Vectors are made in the background; another model makes all of them anew. For admins.",
    errors: ["forbidden", "payload_too_large"],
    body: { schema: embedding, bytesMax: limits.requestSmallBodyBytesMax, examples: { small: set } },
    answer: {
      status: 200,
      description: "What is set, and how far it is.",
      schema: view,
      example: { embedding: set, status: "embedding", toolsLeft: 310, error: null },
    },
    handle: ({ body }, api) => api.toolEmbedding.set(body),
  }),
  defineRoute({
    id: "toolEmbedding.remove",
    tag: "tools",
    method: "delete",
    path,
    summary: "Stop embedding tools",
    description: "Search compares words alone from now on; all vectors of tools are removed. For admins.",
    errors: ["forbidden", "not_found"],
    answer: noAnswer("Removed."),
    handle: async (_request, api) => api.toolEmbedding.remove().then(() => undefined),
  }),
]
