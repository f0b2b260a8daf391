// The documents of retrieval pipelines over HTTP.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf } from "../shared-schema.ts"
import { addedDocument, document, documentExample as example } from "./schema.ts"

export function documentRoutes(limits: Limits): Route[] {
  const text = z.string().max(limits.nameCharsMax)
  const one = { tag: "pipelines", params: z.strictObject({ id: text }) } as const
  return [
    defineRoute({
      ...one,
      id: "pipelines.documents.list",
      method: "get",
      path: "/pipelines/{id}/documents",
      summary: "List a pipeline's documents",
      description: "Without their text. For humans with `registry.write` or `registry.publish`.",
      errors: ["forbidden", "not_found"],
      query: z.strictObject({
        ...pageFields(limits),
        query: text.exactOptional().meta({ description: "What the title or the source contains." }),
      }),
      answer: {
        status: 200,
        description: "One page of documents.",
        schema: pageOf("PipelineDocumentPage", document),
        example: { items: [example], nextCursor: null },
      },
      handle: ({ params: { id }, query }, api) => api.pipelines.documents.list(id, query),
    }),
    defineRoute({
      ...one,
      id: "pipelines.documents.add",
      method: "post",
      path: "/pipelines/{id}/documents",
      summary: "Add a document",
      description:
        "Exactly one of `text`, `markdown`, `html` and `file` (base64; Markdown, HTML or other text by its name). With a `source` that is known already, its document is replaced. It is found from then on; vectors follow in the background. For humans with `registry.write`.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      body: {
        schema: z
          .strictObject({
            title: z.string().exactOptional(),
            source: z.string().exactOptional().meta({ description: "Where it comes from, such as a path or a URL." }),
            text: z.string().exactOptional(),
            markdown: z.string().exactOptional(),
            html: z.string().exactOptional(),
            file: z.strictObject({ name: z.string(), data: z.string().meta({ description: "Base64." }) }).exactOptional(),
          })
          .meta({ id: "PipelineDocumentAdd" }),
        bytesMax: limits.requestBodyBytesMax,
        examples: { markdown: { source: "handbook/holidays.md", markdown: "# Holidays\n\nEverybody has 30 days of holiday." } },
      },
      answer: {
        status: 201,
        description: "The document; `outcome` says whether it is new.",
        schema: addedDocument,
        example: { ...example, outcome: "created", chunks: 1 },
      },
      handle: ({ params: { id }, body }, api) => api.pipelines.documents.add(id, body),
    }),
    defineRoute({
      id: "pipelines.documents.remove",
      tag: "pipelines",
      params: z.strictObject({ id: text, documentId: text }),
      method: "delete",
      path: "/pipelines/{id}/documents/{documentId}",
      summary: "Remove a document",
      description: "It is not found any more. For humans with `registry.write`.",
      errors: ["forbidden", "not_found"],
      answer: noAnswer("It is gone."),
      handle: async ({ params: { id, documentId } }, api) => {
        await api.pipelines.documents.remove(id, documentId)
        return undefined
      },
    }),
  ]
}
