// Measures search over HTTP.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import type { Route } from "./route.ts"
import { defineRoute } from "./route.ts"

const casesMax = 10_000
const toolsPerCaseMax = 100

const evaluationCase = z.object({
  query: z.string().min(1).max(1000),
  tools: z
    .record(z.string(), z.number().positive().max(10))
    .refine((tools) => Object.keys(tools).length > 0, "names no tool")
    .refine((tools) => Object.keys(tools).length <= toolsPerCaseMax, `names more than ${toolsPerCaseMax} tools`)
    .meta({ description: "Tool paths with their grade: 2 for the right tool, 1 for an acceptable one." }),
})

const evaluation = z
  .object({
    queries: z.int(),
    ndcg5: z.number(),
    recall5: z.number(),
    hit1: z.number(),
    p50Ms: z.number(),
    p99Ms: z.number(),
  })
  .meta({ id: "Evaluation" })

const catalogEvaluation = z
  .object({
    search: evaluation,
    plainBm25: evaluation,
    unknownPaths: z.array(z.string()).meta({ description: "Paths in the cases that are not in the catalog." }),
    misses: z.array(z.object({ query: z.string(), wanted: z.array(z.string()), found: z.array(z.string()) })),
  })
  .meta({ id: "CatalogEvaluation" })

const evaluationExample = {
  search: { queries: 1, ndcg5: 1, recall5: 1, hit1: 1, p50Ms: 0.2, p99Ms: 0.9 },
  plainBm25: { queries: 1, ndcg5: 0.63, recall5: 1, hit1: 0, p50Ms: 0.1, p99Ms: 0.4 },
  unknownPaths: [],
  misses: [],
}

export const evaluationRoute = (limits: Limits): Route =>
  defineRoute({
    id: "tools.evaluate",
    tag: "tools",
    method: "post",
    path: "/tools/evaluate",
    summary: "Measure search",
    description:
      "Measures how well search finds the right tools for requests whose answers are known, compared with plain BM25 over the same tools. For human admins, because every case searches the whole catalog. It stops if the client disconnects.",
    errors: ["forbidden", "payload_too_large"],
    body: {
      bytesMax: limits.requestSmallBodyBytesMax * 16,
      schema: z.strictObject({ cases: z.array(evaluationCase).min(1).max(casesMax) }),
      examples: { issues: { cases: [{ query: "create an issue", tools: { "github.issues.create": 2 } }] } },
    },
    answer: {
      status: 200,
      description: "The measurements, and the requests that were missed.",
      schema: catalogEvaluation,
      example: evaluationExample,
    },
    handle: ({ body }, api, signal) => api.tools.evaluate(body.cases, { signal }),
  })
