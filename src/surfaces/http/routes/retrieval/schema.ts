// The schemas of retrieval pipelines and their documents.
import { z } from "zod"
import { documentFormats } from "../../../../core/retrieval/document.ts"
import { timestamp } from "../shared-schema.ts"

const chunking = z.object({ tokens: z.int(), overlap: z.int() }).meta({ id: "Chunking" })
export const embedding = z.strictObject({ provider: z.string(), model: z.string(), dimensions: z.int() }).meta({ id: "Embedding" })

export const pipeline = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    chunking,
    embedding: embedding.nullable(),
    documents: z.int(),
    chunks: z.int(),
    index: z.object({
      status: z.enum(["ready", "indexing"]),
      rebuild: z
        .object({ documentsLeft: z.int() })
        .nullable()
        .meta({ description: "The index that is built beside the one that answers; null when none is." }),
      vectorsLeft: z.int().meta({ description: "Chunks that have no vector yet, in the newest index." }),
      error: z.string().nullable().meta({ description: "Why the last attempt failed; it is repeated." }),
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Pipeline" })

const documentFields = {
  id: z.string(),
  title: z.string(),
  source: z.string().nullable(),
  format: z.enum(documentFormats),
  bytes: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
}

export const document = z.object(documentFields).meta({ id: "PipelineDocument" })

export const addedDocument = z
  .object({ ...documentFields, outcome: z.enum(["created", "updated", "unchanged"]), chunks: z.int() })
  .meta({ id: "PipelineDocumentAdded" })

export const answer = z
  .object({
    results: z.array(
      z.object({
        text: z.string(),
        score: z.number().meta({ description: "Comparable within one answer only." }),
        documentId: z.string(),
        title: z.string(),
        source: z.string().nullable(),
        position: z.int().meta({ description: "Which chunk of its document, from 0." }),
      }),
    ),
    degraded: z.enum(["embeddings_unavailable", "embeddings_pending"]).exactOptional(),
  })
  .meta({ id: "PipelineAnswer" })

const at = "2026-11-18T09:00:00.000Z"

export const pipelineExample: z.output<typeof pipeline> = {
  id: "pipe_0mw8x2c1a000f00d",
  slug: "handbook",
  name: "Handbook",
  chunking: { tokens: 400, overlap: 60 },
  embedding: null,
  documents: 12,
  chunks: 340,
  index: { status: "ready", rebuild: null, vectorsLeft: 0, error: null },
  createdAt: at,
  updatedAt: at,
}

export const documentExample: z.output<typeof document> = {
  id: "doc_0mw8x2c1a000f00d",
  title: "Holidays",
  source: "handbook/holidays.md",
  format: "markdown",
  bytes: 4210,
  createdAt: at,
  updatedAt: at,
}
