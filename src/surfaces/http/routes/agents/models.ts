// Model providers over HTTP: keys go in, and never come out.
import { z } from "zod"
import { modelProviderKinds } from "../../../../core/agents/model-provider.ts"
import type { Limits } from "../../../../core/limits.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf, timestamp, usageFields } from "../shared-schema.ts"

const price = z
  .object({ currency: z.literal("USD"), input: z.number(), output: z.number(), cachedInput: z.number().exactOptional() })
  .meta({ id: "ModelPrice", description: "Of a million tokens." })

const provider = z
  .object({
    id: z.string(),
    kind: z.enum(modelProviderKinds),
    baseUrl: z.string().meta({ description: "The only address that the key is sent to." }),
    apiKey: z.literal("***").nullable().meta({ description: "Null: no key is sent." }),
    models: z
      .array(z.union([z.string(), z.object({ name: z.string(), price: price.exactOptional() })]))
      .meta({ description: "The models to choose from; empty: any. Those with a price are objects." }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "ModelProvider" })

const example = {
  id: "openai",
  kind: "openai" as const,
  baseUrl: "https://api.openai.com/v1",
  apiKey: "***" as const,
  models: ["gpt-5"],
  createdAt: "2026-11-18T09:00:00.000Z",
  updatedAt: "2026-11-18T09:00:00.000Z",
}

const tested = z
  .discriminatedUnion("ok", [
    z.object({
      ok: z.literal(true),
      model: z.string(),
      text: z.string(),
      ms: z.number(),
      usage: z.object(usageFields),
    }),
    z.object({
      ok: z.literal(false),
      model: z.string(),
      kind: z.string().meta({ description: "Such as `auth`, `rate_limited` or `unreachable`." }),
      message: z.string(),
      ms: z.number(),
    }),
  ])
  .meta({ id: "ModelTest" })

export function modelRoutes(limits: Limits): Route[] {
  const text = z.string().max(limits.nameCharsMax)
  const amount = z.number().min(0).max(limits.modelPriceUsdMax)
  const priceInput = z
    .strictObject({
      currency: z.literal("USD").exactOptional(),
      input: amount,
      output: amount,
      cachedInput: amount.exactOptional().meta({ description: "Of input that the provider had cached; by default as `input`." }),
    })
    .meta({ id: "ModelPriceInput", description: "Of a million tokens." })
  const bytesMax = limits.requestSmallBodyBytesMax
  const fields = {
    baseUrl: z.string().max(2000).meta({ description: "By default that of the kind; required for `openai_compatible`." }),
    apiKey: z.string().meta({ description: "The key itself, or `${env:NAME}` for a variable of the server." }),
    models: z
      .array(z.union([text, z.strictObject({ name: text, price: priceInput.exactOptional() })]))
      .max(limits.modelsPerProviderMax)
      .meta({ description: "Names; or objects with a price, by which runs tell what they cost." }),
  }
  const one = { tag: "models", params: z.strictObject({ id: text }) } as const
  const path = "/models/providers/{id}"
  return [
    defineRoute({
      id: "models.providers.list",
      tag: "models",
      method: "get",
      path: "/models/providers",
      summary: "List model providers",
      description: "Those of the tenant, without their keys. For whoever makes agents.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of providers.",
        schema: pageOf("ModelProviderPage", provider),
        example: { items: [example], nextCursor: null },
      },
      handle: ({ query }, api) => api.models.providers.list(query),
    }),
    defineRoute({
      id: "models.providers.create",
      tag: "models",
      method: "post",
      path: "/models/providers",
      summary: "Add a model provider",
      description:
        "Its key is kept encrypted, and sent to its own address alone. A private address must be written by an admin, as for integrations. For admins.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: {
        schema: z
          .strictObject({
            id: text.meta({ description: "The name that agents use, e.g. `openai`." }),
            kind: z.enum(modelProviderKinds),
            baseUrl: fields.baseUrl.exactOptional(),
            apiKey: fields.apiKey.exactOptional(),
            models: fields.models.exactOptional(),
          })
          .meta({ id: "ModelProviderCreate" }),
        bytesMax,
        spellings: "both",
        examples: {
          openai: {
            id: "openai",
            kind: "openai",
            apiKey: "…",
            models: [{ name: "gpt-5", price: { input: 1.25, output: 10, cachedInput: 0.125 } }],
          },
          local: { id: "local", kind: "openai_compatible", baseUrl: "http://127.0.0.1:11434/v1", models: ["qwen3"] },
        },
      },
      answer: { status: 201, description: "The provider.", schema: provider, example },
      handle: ({ body }, api) => api.models.providers.create(body),
    }),
    defineRoute({
      ...one,
      path,
      id: "models.providers.update",
      method: "patch",
      summary: "Change a model provider",
      description: "Changes only the given fields. Another origin needs the key again; `apiKey: null` removes it. For admins.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      body: {
        schema: z
          .strictObject({
            baseUrl: fields.baseUrl.exactOptional(),
            apiKey: fields.apiKey.nullable().exactOptional(),
            models: fields.models.exactOptional(),
          })
          .meta({ id: "ModelProviderUpdate" }),
        bytesMax,
        spellings: "both",
        examples: { rotate: { apiKey: "…" } },
      },
      answer: { status: 200, description: "The provider as it is now.", schema: provider, example },
      handle: ({ params, body }, api) => api.models.providers.update(params.id, body),
    }),
    defineRoute({
      ...one,
      path,
      id: "models.providers.remove",
      method: "delete",
      summary: "Remove a model provider",
      description: "Its key goes with it; runs of agents that use it end with their next question. For admins.",
      errors: ["forbidden", "not_found"],
      answer: noAnswer("The provider is gone."),
      handle: async ({ params }, api) => api.models.providers.remove(params.id).then(() => undefined),
    }),
    defineRoute({
      ...one,
      path: `${path}/test`,
      id: "models.providers.test",
      method: "post",
      summary: "Try a model provider",
      description: "Asks a model one short question, which costs a few tokens. For admins.",
      errors: ["forbidden", "not_found", "conflict"],
      body: {
        schema: z
          .strictObject({ model: text.exactOptional().meta({ description: "By default the first of its `models`." }) })
          .optional()
          .meta({ id: "ModelTestRequest" }),
        bytesMax,
        isOptional: true,
        examples: { one: { model: "gpt-5" } },
      },
      answer: {
        status: 200,
        description: "What the model answered, or why it did not.",
        schema: tested,
        example: { ok: true as const, model: "gpt-5", text: "ready", ms: 640, usage: { inputTokens: 14, outputTokens: 2 } },
      },
      handle: ({ params, body }, api) => api.models.providers.test(params.id, body ?? {}),
    }),
  ]
}
