// The filter of a query as tools take it, in the spelling of their arguments.
import { isRecord } from "../json/record.ts"
import type { PipelineFilter } from "./pipeline.ts"

/** What is no text or list of texts is left out: schemas check it before. */
export function readFilter(given: unknown): PipelineFilter | null {
  if (!isRecord(given)) return null
  const { document_ids: ids, source_prefix: sourcePrefix, title_prefix: titlePrefix } = given
  return {
    ...(Array.isArray(ids) ? { documentIds: ids.filter((id) => typeof id === "string") } : {}),
    ...(typeof sourcePrefix === "string" ? { sourcePrefix } : {}),
    ...(typeof titlePrefix === "string" ? { titlePrefix } : {}),
  }
}

export const writeFilter = ({ documentIds, sourcePrefix, titlePrefix }: PipelineFilter): Record<string, unknown> => ({
  ...(documentIds === undefined ? {} : { document_ids: documentIds }),
  ...(sourcePrefix === undefined ? {} : { source_prefix: sourcePrefix }),
  ...(titlePrefix === undefined ? {} : { title_prefix: titlePrefix }),
})

/** Their JSON Schema. */
export const filterSchema = {
  type: "object",
  description: "Only passages of documents for which all of these are true.",
  properties: {
    document_ids: { type: "array", items: { type: "string" }, maxItems: 1000, description: "One of these documents." },
    source_prefix: { type: "string", description: "The beginning of its source, such as a folder or a site." },
    title_prefix: { type: "string", description: "The beginning of its title." },
  },
  additionalProperties: false,
} as const
