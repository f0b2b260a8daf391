// The catalog of tools over HTTP.
import { z } from "zod"
import { withoutRoot } from "../../../core/address.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { Limits } from "../../../core/limits.ts"
import { resultsModes } from "../../../core/execution.ts"
import { toolVersionsDiffRoute, toolVersionsRoute } from "./registry/tool-versions.ts"
import { searchesRoute } from "./console/searches.ts"
import { evaluationRoute } from "./evaluation.ts"
import { toolInventoryRoute } from "./registry/tool-inventory.ts"
import { toolExample, toolListRoutes } from "./registry/tool-list.ts"
import type { Route } from "./route.ts"
import { defineRoute } from "./route.ts"

const jsonSchema = z.record(z.string(), z.unknown()).meta({ id: "JsonSchema", description: "A JSON Schema (2020-12)." })

const pinnedTool = z
  .object({
    title: z.string(),
    description: z.string(),
    effect: z.enum(["read", "write", "destroy"]),
    requiresApproval: z.boolean(),
    inputSchema: jsonSchema,
    outputSchema: jsonSchema.nullable(),
  })
  .meta({ id: "PinnedTool" })

const toolSchema = z
  .object({
    inputSchema: jsonSchema,
    outputSchema: jsonSchema.nullable(),
    schemaDefinitions: z.record(z.string(), jsonSchema).meta({ description: "The shared definitions that the two schemas refer to." }),
    inputTypeScript: z.string(),
    outputTypeScript: z.string(),
    typeScriptDefinitions: z.record(z.string(), z.string()),
    change: z
      .object({
        fields: z.array(z.string()).meta({ description: "The fields that differ." }),
        accepted: pinnedTool.nullable().meta({ description: "The version that a human accepted; null if the tool was added later." }),
        current: pinnedTool,
      })
      .exactOptional()
      .meta({ description: "Only for a tool that differs from the version a human accepted." }),
  })
  .meta({ id: "ToolSchema" })

const searchExplanation = z
  .object({
    words: z.array(z.object({ word: z.string(), gain: z.number() })).meta({ description: "What each word of the request brought it." }),
    factors: z
      .object({ words: z.number(), thing: z.number(), operation: z.number(), integration: z.number(), use: z.number() })
      .meta({ description: "What the sum was multiplied with; 1 where nothing speaks for or against it." }),
    meaning: z
      .object({ place: z.int(), likeness: z.number() })
      .exactOptional()
      .meta({ description: "Its place among the tools that are nearest by meaning, and how near; only where an embedding is set." }),
  })
  .meta({ id: "SearchExplanation" })

const searchPage = z
  .object({
    items: z.array(
      z.object({
        path: z.string(),
        signature: z.string().meta({ description: "The arguments on one line, cut where there are many." }),
        description: z.string(),
        name: z.string(),
        integration: z.string(),
        score: z.number(),
        requiresApproval: z.boolean(),
        deprecated: z.literal(true).exactOptional().meta({ description: "It still works, and there is a better one." }),
        explanation: searchExplanation.exactOptional().meta({ description: "Only with `explain`." }),
      }),
    ),
    total: z.int(),
    hasMore: z.boolean(),
    nextOffset: z.int().nullable(),
    weak: z.literal(true).exactOptional().meta({ description: "No tool fits well; the items are the nearest ones, at most three." }),
    message: z.string().exactOptional().meta({ description: "Which services are connected; only if `weak`." }),
    degraded: z.enum(["embeddings_unavailable", "embeddings_pending"]).exactOptional().meta({
      description: "Only where an embedding is set: why only words were compared, or meaning for some tools alone.",
    }),
  })
  .meta({ id: "SearchPage" })

const toolSchemaExample = {
  inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  outputSchema: { type: "object", properties: { number: { type: "integer" } } },
  schemaDefinitions: {},
  inputTypeScript: "{ title: string }",
  outputTypeScript: "{ number?: number }",
  typeScriptDefinitions: {},
}

const searchExample = {
  items: [
    {
      path: "github.org.main.issues.create",
      signature: "{ owner: string; repo: string; title: string; body?: string }",
      description: "Create an issue in a repository.",
      name: "Create an issue",
      integration: "github",
      score: 0.865,
      requiresApproval: true,
    },
  ],
  total: 1,
  hasMore: false,
  nextOffset: null,
}

const pathCharsMax = 256
const searchLimitMax = 100
const searchOffsetMax = 100_000
const queryCharsMax = 1000

export function toolRoutes(limits: Limits): Route[] {
  return [
    ...toolListRoutes(limits),
    toolInventoryRoute,
    defineRoute({
      id: "tools.schema",
      tag: "tools",
      method: "get",
      path: "/tools/schema",
      summary: "Read the schema of a tool",
      description: "JSON Schemas and TypeScript previews of one tool.",
      errors: ["tool_ambiguous", "tool_blocked", "tool_not_found"],
      query: z.strictObject({
        address: z
          .string()
          .min(1)
          .meta({ description: "The address of the tool. The leading `tools.` is optional.", examples: [toolExample.address] }),
      }),
      answer: { status: 200, description: "The tool's arguments and results.", schema: toolSchema, example: toolSchemaExample },
      handle: async ({ query: { address } }, api) => {
        const schema = await api.tools.schema(address)
        if (schema !== null) return schema
        const path = withoutRoot(address).slice(0, pathCharsMax)
        // Resolves the tool as a call does, so that an unknown path is refused with suggestions.
        await api.policies.explain({ address: path })
        throw new ExecutorError("tool_not_found", `Tool path '${path}' not found`, { suggestions: [] })
      },
    }),
    defineRoute({
      id: "tools.search",
      tag: "tools",
      method: "get",
      path: "/tools/search",
      summary: "Search tools",
      description: "The tools that best match a description of the task, as `tools.search` with `verbose: true` finds them in code.",
      errors: [],
      query: z.strictObject({
        query: z
          .string()
          .max(queryCharsMax)
          .meta({ description: "What the tool should do.", examples: ["create issue"] }),
        namespace: z.string().max(pathCharsMax).exactOptional().meta({ description: "Only tools below this path." }),
        limit: z.int().min(1).max(searchLimitMax).exactOptional().meta({ default: 12 }),
        offset: z.int().min(0).max(searchOffsetMax).exactOptional().meta({ default: 0 }),
        explain: z.boolean().exactOptional().meta({ description: "Whether each hit says why it has its place." }),
      }),
      answer: { status: 200, description: "Best matches first.", schema: searchPage, example: searchExample },
      handle: ({ query }, api) => api.tools.search(query),
    }),
    defineRoute({
      id: "tools.types",
      tag: "tools",
      method: "get",
      path: "/tools/types",
      summary: "Print the catalog's types",
      description: "A TypeScript declaration file in which `tools` has every tool that the acting principal can call.",
      errors: [],
      query: z.strictObject({
        results: z.enum(resultsModes).exactOptional().meta({ description: "What a call returns.", default: "envelope" }),
        integration: z.string().max(pathCharsMax).exactOptional().meta({ description: "Only tools of this integration." }),
      }),
      answer: {
        status: 200,
        description: "The text of a `.d.ts` file.",
        schema: z.object({ typescript: z.string() }).meta({ id: "CatalogTypes" }),
        example: { typescript: "export type Tools = …" },
      },
      handle: async ({ query }, api, signal) => ({ typescript: await api.tools.types({ ...query, signal }) }),
    }),
    searchesRoute(limits),
    toolVersionsRoute(limits),
    toolVersionsDiffRoute,
    evaluationRoute(limits),
  ]
}
