// Integrations over HTTP.
import { z } from "zod"
import type { Limits } from "../../core/limits.ts"
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
      description: "Reads the source and keeps what it says. It has tools as soon as it has a connection.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: { schema: input.add, bytesMax, examples: schema.addExamples },
      answer: shown(201, "The integration, with what its source says."),
      handle: ({ body }, api) => api.integrations.add(body),
    }),
    defineRoute({
      id: "integrations.detect",
      tag: "integrations",
      method: "post",
      path: "/integrations/detect",
      summary: "Find out what is at a URL",
      description: "Answers with the kind and config with which it could be added.",
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
      description: "Which tools, origins and ways to authenticate adding it would give. Nothing is kept.",
      errors: ["forbidden", "payload_too_large"],
      body: { schema: input.preview, bytesMax, examples: schema.previewExamples },
      answer: { status: 200, description: "What it would give.", schema: schema.preview, example: schema.previewExample },
      handle: ({ body }, api) => api.integrations.preview(body),
    }),
    defineRoute({
      id: "integrations.get",
      tag: "integrations",
      method: "get",
      path: "/integrations/{slug}",
      summary: "Show an integration",
      description: "One integration with its config and what its source says.",
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
        "Changes what is given and keeps the rest, also inside `config`: a field that is null is removed, and `***` keeps a secret. A new config stamps `configRevisedAt`; the connections produce their tools anew. `facts` are those of the new config, or those before it where its source cannot be read now.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      params,
      body: { schema: input.update, bytesMax, examples: { name: { name: "GitHub (work)" } } },
      answer: shown(200, "The integration as it is now."),
      handle: ({ params: { slug }, body }, api) => api.integrations.update(slug, body),
    }),
    defineRoute({
      id: "integrations.remove",
      tag: "integrations",
      method: "delete",
      path: "/integrations/{slug}",
      summary: "Remove an integration",
      description: "Its connections, their credentials and their tools go with it.",
      errors: ["forbidden", "not_found"],
      params,
      answer: noAnswer("It is gone."),
      handle: async ({ params: { slug } }, api) => api.integrations.remove(slug).then(() => undefined),
    }),
  ]
}
