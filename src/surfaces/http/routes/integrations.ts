// Integrations over HTTP.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import { pageFields, pageOf } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute, noAnswer } from "./route.ts"
import * as schema from "./integration-schema.ts"

export function integrationRoutes(limits: Limits): Route[] {
  const input = schema.integrationInput(limits)
  const params = z.strictObject({ slug: z.string().min(1).max(limits.nameCharsMax) })
  const bytesMax = limits.requestBodyBytesMax
  const shown = (status: 200 | 201, description: string) => ({
    status,
    description,
    schema: schema.integration,
    example: schema.integrationExample,
  })

  return [
    defineRoute({
      id: "integrations.list",
      tag: "integrations",
      method: "get",
      path: "/integrations",
      summary: "List integrations",
      description: "The catalog entries of the tenant. Secrets in their config are shown as `***`.",
      errors: [],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "Integrations by slug.",
        schema: pageOf("IntegrationPage", schema.integration),
        example: { items: [schema.integrationExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.integrations.list(query),
    }),
    defineRoute({
      id: "integrations.add",
      tag: "integrations",
      method: "post",
      path: "/integrations",
      summary: "Add an integration",
      description: "Reads the source and stores the integration. Its tools become available with its first connection.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: { schema: input.add, bytesMax, examples: schema.addExamples },
      answer: shown(201, "The integration, with the facts from its source."),
      handle: ({ body }, api) => api.integrations.add(body),
    }),
    defineRoute({
      id: "integrations.detect",
      tag: "integrations",
      method: "post",
      path: "/integrations/detect",
      summary: "Detect what a URL offers",
      description: "Returns the kind and config with which it can be added.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      body: { schema: input.detect, bytesMax: limits.requestSmallBodyBytesMax, examples: { url: { url: "https://petstore3.swagger.io" } } },
      answer: { status: 200, description: "What was found.", schema: schema.detection, example: schema.detectionExample },
      handle: ({ body }, api) => api.integrations.detect(body.url),
    }),
    defineRoute({
      id: "integrations.preview",
      tag: "integrations",
      method: "post",
      path: "/integrations/preview",
      summary: "Preview an integration",
      description: "Shows the tools, origins and authentication options that adding it would bring. Nothing is stored.",
      errors: ["forbidden", "payload_too_large"],
      body: { schema: input.preview, bytesMax, examples: schema.previewExamples },
      answer: { status: 200, description: "The preview.", schema: schema.preview, example: schema.previewExample },
      handle: ({ body }, api) => api.integrations.preview(body),
    }),
    defineRoute({
      id: "integrations.get",
      tag: "integrations",
      method: "get",
      path: "/integrations/{slug}",
      summary: "Show an integration",
      description: "One integration with its config and the facts from its source.",
      errors: ["not_found"],
      params,
      answer: shown(200, "The integration."),
      handle: ({ params: { slug } }, api) => api.integrations.get(slug),
    }),
    defineRoute({
      id: "integrations.update",
      tag: "integrations",
      method: "patch",
      path: "/integrations/{slug}",
      summary: "Change an integration",
      description:
        "Changes only the given fields, also inside `config`: null removes a field, and `***` keeps a secret. A new config updates `configRevisedAt`, and the connections sync their tools again. `facts` describe the new config, or the previous one if its source cannot be read right now.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      params,
      body: { schema: input.update, bytesMax, examples: { name: { name: "GitHub (work)" } } },
      answer: shown(200, "The updated integration."),
      handle: ({ params: { slug }, body }, api) => api.integrations.update(slug, body),
    }),
    defineRoute({
      id: "integrations.remove",
      tag: "integrations",
      method: "delete",
      path: "/integrations/{slug}",
      summary: "Remove an integration",
      description: "Also removes its connections with their credentials and tools.",
      errors: ["forbidden", "not_found"],
      params,
      answer: noAnswer("It is gone."),
      handle: async ({ params: { slug } }, api) => api.integrations.remove(slug).then(() => undefined),
    }),
  ]
}
