// Presets over HTTP.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { authTemplates } from "../../../../core/auth.ts"
import { presetCategories, presetKinds } from "../../../../core/presets/preset.ts"
import { pageFields, pageOf } from "../shared-schema.ts"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"

const preset = z
  .object({
    id: z.string().meta({ description: "Also the slug of the integration." }),
    name: z.string(),
    description: z.string(),
    category: z.enum(presetCategories),
    kind: z.enum(presetKinds),
    url: z.string().meta({ description: "Where its document or endpoint is." }),
    config: z.record(z.string(), z.unknown()).meta({ description: "The `config` of `POST /integrations`." }),
    baseUrl: z.object({ description: z.string(), example: z.string() }).nullable().meta({
      description: "Set where everybody has an address of their own, which has to be added as `config.baseUrl`.",
    }),
    auth: z
      .array(
        z.object({
          template: z.enum(authTemplates),
          values: z.array(z.string()),
          placements: z
            .array(z.object({ in: z.enum(["header", "query", "cookie"]), name: z.string(), value: z.string() }))
            .meta({ description: "The `auth.placements` of the connection; empty: leave them out." }),
          keyUrl: z.string().nullable().meta({ description: "Where a human gets the key." }),
          note: z.string(),
        }),
      )
      .meta({ description: "The ways to authenticate, the one to prefer first." }),
    docsUrl: z.string(),
  })
  .meta({ id: "Preset" })

const example = {
  id: "linear",
  name: "Linear",
  description: "Issues, projects and cycles.",
  category: "work" as const,
  kind: "graphql" as const,
  url: "https://api.linear.app/graphql",
  config: { endpoint: "https://api.linear.app/graphql" },
  baseUrl: null,
  auth: [
    {
      template: "api_key" as const,
      values: ["key"],
      placements: [{ in: "header" as const, name: "Authorization", value: "${key}" }],
      keyUrl: "https://linear.app/settings/api",
      note: "A personal API key; it is sent without the word Bearer.",
    },
  ],
  docsUrl: "https://linear.app/developers/graphql",
}

export function presetRoutes(limits: Limits): Route[] {
  const text = z.string().min(1).max(limits.nameCharsMax)
  return [
    defineRoute({
      id: "presets.list",
      tag: "integrations",
      method: "get",
      path: "/presets",
      summary: "List presets",
      description: "Well-known APIs and MCP servers: where each is, how to authenticate, and where to get a key.",
      errors: [],
      query: z.strictObject({
        query: text.exactOptional().meta({ description: "Words of the id, name or description." }),
        kind: z.enum(presetKinds).exactOptional(),
        category: z.enum(presetCategories).exactOptional(),
        ...pageFields(limits),
      }),
      answer: {
        status: 200,
        description: "Presets by id.",
        schema: pageOf("PresetPage", preset),
        example: { items: [example], nextCursor: null },
      },
      handle: ({ query }, api) => api.presets.list(query),
    }),
    defineRoute({
      id: "presets.get",
      tag: "integrations",
      method: "get",
      path: "/presets/{id}",
      summary: "Show a preset",
      description: "One preset. An unknown id is answered with the ones that are spelled alike.",
      errors: ["not_found"],
      params: z.strictObject({ id: text }),
      answer: { status: 200, description: "The preset.", schema: preset, example },
      handle: ({ params: { id } }, api) => api.presets.get(id),
    }),
  ]
}
