// Says what a successful answer looks like, and which media types are asked for.
import { mediaKind, responseTypesByPreference } from "./media.ts"
import type { ContentSource, ResponseSource } from "./source.ts"
import { isMissing } from "../document/resolve.ts"
import type { DocumentFiles } from "../document/resolve.ts"
import { isObject, own } from "../../document-value.ts"
import type { SchemaEmitter } from "./schema/emit.ts"
import { isFileSchema, toolFileName, toolFileRef } from "./schema/file.ts"
import type { SchemaObject } from "./schema/keywords.ts"

export type CompiledOutput = {
  /** Null where the document does not say. */
  readonly schema: SchemaObject | null
  readonly refs: ReadonlySet<string>
  readonly accept: readonly string[]
}

const emptyStatuses: ReadonlySet<string> = new Set(["204", "205"])
const noRefs: ReadonlySet<string> = new Set()

export function compileOutput(
  method: string,
  responses: readonly ResponseSource[],
  parts: { readonly files: DocumentFiles; readonly emit: SchemaEmitter },
): CompiledOutput {
  const successes = successful(responses)
  const accept = responseTypesByPreference([...new Set(successes.flatMap(({ contents }) => contents.map((content) => content.mediaType)))])
  if (method === "HEAD") return { schema: { type: "null" }, refs: noRefs, accept }
  const offered = successes.flatMap(({ status, contents }) => (emptyStatuses.has(status) ? [] : bestOf(contents)))
  const chosen = offered.find((content) => mediaKind(content.mediaType) === "json") ?? offered[0]
  if (chosen) return { ...contentSchema(chosen, parts), accept }
  const isEmpty = successes.length > 0 && successes.every(({ status }) => emptyStatuses.has(status))
  return { schema: isEmpty ? { type: "null" } : null, refs: noRefs, accept }
}

/** The 2xx answers in their order, or the default where there is none. */
function successful(responses: readonly ResponseSource[]): ResponseSource[] {
  const successes = responses
    .filter(({ status }) => /^2(\d\d|XX)$/i.test(status))
    .toSorted((left, right) => (left.status < right.status ? -1 : 1))
  return successes.length > 0 ? successes : responses.filter(({ status }) => status === "default")
}

function bestOf(contents: readonly ContentSource[]): ContentSource[] {
  const [best] = responseTypesByPreference(contents.map((content) => content.mediaType))
  return contents.filter((content) => content.mediaType === best)
}

function contentSchema(
  content: ContentSource,
  { files, emit }: { readonly files: DocumentFiles; readonly emit: SchemaEmitter },
): Pick<CompiledOutput, "schema" | "refs"> {
  const kind = mediaKind(content.mediaType)
  if (kind === "json") {
    if (content.schema === null) return { schema: null, refs: noRefs }
    const target = files.follow(content.schema)
    if (!isMissing(target) && isDownload(target.value)) return file()
    const { schema, refs } = emit(content.schema)
    return Object.keys(schema).length === 0 ? { schema: null, refs } : { schema, refs }
  }
  if (kind === "json_lines" || kind === "json_seq" || kind === "events") return { schema: { type: "array" }, refs: noRefs }
  if (kind === "binary" || kind === "multipart") return file()
  return { schema: { type: "string" }, refs: noRefs }
}

const file = (): Pick<CompiledOutput, "schema" | "refs"> => ({ schema: toolFileRef(), refs: new Set([toolFileName]) })

/** Swagger's `file` and a whole answer of `format: binary` are bytes, whatever media type was written beside them. */
const isDownload = (schema: unknown): boolean =>
  isObject(schema) && isFileSchema(schema) && (own(schema, "type") === "file" || own(schema, "format") === "binary")
