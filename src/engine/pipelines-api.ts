// What one principal can do with retrieval pipelines, each change with its audit.
import { errorTable, ExecutorError } from "../core/errors.ts"
import type { ErrorCode } from "../core/errors.ts"
import type { Principal } from "../core/principal.ts"
import type { ToolFailure } from "../core/result.ts"
import type { PipelinesApi } from "../core/retrieval/api.ts"
import { writeFilter } from "../core/retrieval/filter-args.ts"
import type { PipelineAnswer, PipelineView } from "../core/retrieval/pipeline.ts"
import { currentAccess } from "../identity/access.ts"
import { isEditor } from "../registry/tool.ts"
import { addDocument, listDocuments, removeDocument } from "../retrieval/documents.ts"
import type { RetrievalParts } from "../retrieval/parts.ts"
import { createPipeline, getPipeline, listPipelines, removePipeline, updatePipeline } from "../retrieval/pipelines.ts"
import { withAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"
import { executeTool } from "./execute-tool.ts"

type Parts = EngineParts & { readonly retrieval: RetrievalParts }

/** The tool that asks pipelines: whoever may not call it asks none, on no surface. */
const queryTool = "builtin.retrieval_pipeline"

export function pipelinesApi(principal: Principal, parts: Parts): PipelinesApi {
  const audit = withAudit(principal, parts)
  const { retrieval } = parts
  return {
    async list(page = {}) {
      await requireReader(principal, parts)
      return listPipelines(principal, page, retrieval)
    },
    async get(id) {
      await requireReader(principal, parts)
      return getPipeline(principal, id, retrieval)
    },
    create: (input) =>
      audit(
        "pipeline.create",
        input.slug ?? input.name,
        () => createPipeline(principal, input, retrieval),
        (after) => ({ subject: after.id, details: { before: null, after: settingsOf(after) } }),
      ),
    update: async (id, change) =>
      (
        await audit(
          "pipeline.update",
          id,
          () => updatePipeline(principal, id, change, retrieval),
          ({ before, after }) => ({ subject: after.id, details: { before: settingsOf(before), after: settingsOf(after) } }),
        )
      ).after,
    remove: async (id) =>
      void (await audit(
        "pipeline.remove",
        id,
        () => removePipeline(principal, id, retrieval),
        (before) => ({ subject: before.id, details: { before: { ...settingsOf(before), documents: before.documents }, after: null } }),
      )),
    async query(id, { query, topK, filter }, options = {}) {
      const args = {
        pipeline_id: id,
        query,
        ...(topK === undefined ? {} : { top_k: topK }),
        ...(filter === undefined ? {} : { filter: writeFilter(filter) }),
      }
      const result = await executeTool(principal, queryTool, args, options, parts)
      if (!result.ok) throw toError(result)
      return result.data as PipelineAnswer // what the tool answers
    },
    documents: {
      list: (id, page = {}) => listDocuments(principal, id, page, retrieval),
      add: (id, document) =>
        audit(
          "pipeline.document.add",
          id,
          () => addDocument(principal, id, document, retrieval),
          ({ id: documentId, title, source, bytes, outcome }) => ({ details: { documentId, title, source, bytes, outcome } }),
        ),
      remove: async (id, documentId) =>
        void (await audit(
          "pipeline.document.remove",
          id,
          () => removeDocument(principal, id, documentId, retrieval),
          ({ title, source, bytes }) => ({ details: { before: { documentId, title, source, bytes }, after: null } }),
        )),
    },
  }
}

async function requireReader(principal: Principal, parts: Parts): Promise<void> {
  if (isEditor(principal) || (await currentAccess(principal, parts)).isVisible(queryTool)) return
  throw new ExecutorError("forbidden", `None of your roles includes '${queryTool}'; ask an admin for one that does`)
}

const settingsOf = ({ slug, name, chunking, embedding }: PipelineView) => ({ slug, name, chunking, embedding })

/** As a surface says it: what only occurs in results has no status there. */
function toError({ error: { code, message, details } }: ToolFailure): ExecutorError {
  const others: Partial<Record<ErrorCode, ErrorCode>> = {
    invalid_arguments: "invalid_request",
    timeout: "conflict",
    response_too_large: "invalid_request",
  }
  return new ExecutorError(errorTable[code].httpStatus === null ? (others[code] ?? "forbidden") : code, message, details)
}
