// Retrieval pipelines: made, changed and removed by people; another way to index takes effect once its index is complete.
import { readPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Page, PageRequest } from "../core/page.ts"
import { requireRight } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { IndexProgress, PipelineCreate, PipelineUpdate, PipelineView } from "../core/retrieval/pipeline.ts"
import { newId } from "../io/ids.ts"
import { checkName, checkSlug, suggestSlug } from "../registry/tool-input.ts"
import { allRows } from "../store/all-rows.ts"
import type { PipelineIndexRow, PipelineRow } from "../store/retrieval/retrieval-store.ts"
import type { Store } from "../store/store.ts"
import type { RetrievalParts } from "./parts.ts"
import { checkChunking, checkEmbedding, chunkingDefault, chunkingOf, embeddingOf, isSameRecipe, toRecipe } from "./recipe.ts"

export async function listPipelines(scope: Scope, request: PageRequest, parts: RetrievalParts): Promise<Page<PipelineView>> {
  const { items, nextCursor } = await readPage(
    request,
    parts.limits,
    (page) => parts.store.pipelines.list(scope, page),
    ({ slug }) => slug,
  )
  return { items: await Promise.all(items.map((row) => viewPipeline(scope, row, parts.store))), nextCursor }
}

export const getPipeline = async (scope: Scope, ref: string, parts: RetrievalParts): Promise<PipelineView> =>
  viewPipeline(scope, await findPipeline(scope, ref, parts.store), parts.store)

export async function createPipeline(principal: Principal, input: PipelineCreate, parts: RetrievalParts): Promise<PipelineView> {
  requireRight(principal, "registry.write", "make retrieval pipelines")
  const { limits, store } = parts
  const name = checkName(input.name, limits)
  const slug = input.slug === undefined ? suggestSlug(name, "pipeline") : checkSlug(input.slug, "pipeline")
  const chunking = checkChunking(input.chunking ?? {}, chunkingDefault, limits)
  const embedding = input.embedding == null ? null : await checkEmbedding(principal, input.embedding, parts)
  const now = parts.clock.now()
  const at = now.toISOString()
  const id = newId("pipe", now)
  const row: PipelineRow = {
    ...toRecipe(chunking, embedding),
    id,
    slug,
    name,
    indexId: newId("idx", now),
    createdBy: principal.user,
    createdAt: at,
    updatedAt: at,
  }
  await store.transaction(async (inside) => {
    if ((await inside.pipelines.findBySlug(principal, slug)) !== null)
      throw new ExecutorError("conflict", `There already is a pipeline '${slug}'; choose another slug, or add documents to that one`)
    const all = await allRows<PipelineRow, string>(
      (page) => inside.pipelines.list(principal, page),
      (one) => one.slug,
    )
    if (all.length >= limits.pipelinesMax)
      throw new ExecutorError("conflict", `A tenant has at most ${limits.pipelinesMax} pipelines; remove one first`)
    await inside.pipelines.put(principal, row)
    await inside.pipelineIndexes.create(principal, { ...toRecipe(chunking, embedding), ...newIndex(row), state: "active", hasWork: false })
  })
  return viewPipeline(principal, row, store)
}

const newIndex = ({ indexId, id, createdAt }: PipelineRow) => ({ id: indexId, pipelineId: id, createdAt })

export type PipelineChange = { readonly before: PipelineView; readonly after: PipelineView }

export async function updatePipeline(
  principal: Principal,
  ref: string,
  change: PipelineUpdate,
  parts: RetrievalParts,
): Promise<PipelineChange> {
  requireRight(principal, "registry.write", "change retrieval pipelines")
  const { store, limits } = parts
  const given = change.embedding == null ? null : await checkEmbedding(principal, change.embedding, parts)
  const now = parts.clock.now()
  const result = await store.transaction(async (inside) => {
    const row = await findPipeline(principal, ref, inside)
    const before = await viewPipeline(principal, row, inside)
    const chunking = checkChunking(change.chunking ?? {}, chunkingOf(row), limits)
    const recipe = toRecipe(chunking, change.embedding === undefined ? embeddingOf(row) : given)
    const name = change.name === undefined ? row.name : checkName(change.name, limits)
    const after: PipelineRow = { ...row, ...recipe, name, updatedAt: now.toISOString() }
    await inside.pipelines.put(principal, after)
    if (!isSameRecipe(recipe, row)) await startRebuild(principal, after, now, inside)
    return { before, after: await viewPipeline(principal, after, inside) }
  })
  parts.wake()
  return result
}

/** Beside the index that answers. One that was being built before is of no use any more. */
async function startRebuild(scope: Scope, pipeline: PipelineRow, now: Date, store: Store): Promise<void> {
  const indexes = await store.pipelineIndexes.ofPipeline(scope, pipeline.id)
  for (const { id, state } of indexes) if (state === "building") await store.pipelineIndexes.setState(scope, id, "retired")
  const active = indexes.find(({ id }) => id === pipeline.indexId)
  if (active !== undefined && isSameRecipe(active, pipeline)) return
  const { chunkTokens, chunkOverlap, embedding } = pipeline
  const recipe = { chunkTokens, chunkOverlap, embedding }
  const index = { id: newId("idx", now), pipelineId: pipeline.id, createdAt: now.toISOString() }
  await store.pipelineIndexes.create(scope, { ...recipe, ...index, state: "building", hasWork: true })
}

export async function removePipeline(principal: Principal, ref: string, parts: RetrievalParts): Promise<PipelineView> {
  requireRight(principal, "registry.write", "remove retrieval pipelines")
  const before = await parts.store.transaction(async (store) => {
    const row = await findPipeline(principal, ref, store)
    const view = await viewPipeline(principal, row, store)
    await store.pipelines.remove(principal, row.id)
    return view
  })
  parts.wake()
  return before
}

/** By id or slug; an id is never a slug. */
export async function lookUpPipeline(scope: Scope, ref: string, store: Store): Promise<PipelineRow | null> {
  return (await store.pipelines.get(scope, ref)) ?? store.pipelines.findBySlug(scope, ref)
}

export async function findPipeline(scope: Scope, ref: string, store: Store): Promise<PipelineRow> {
  const row = await lookUpPipeline(scope, ref, store)
  if (row === null) throw new ExecutorError("not_found", `There is no pipeline '${ref.slice(0, 80)}'; GET /pipelines lists them`)
  return row
}

async function viewPipeline(scope: Scope, row: PipelineRow, store: Store): Promise<PipelineView> {
  const indexes = await store.pipelineIndexes.ofPipeline(scope, row.id)
  const active = indexes.find(({ id }) => id === row.indexId)
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    chunking: chunkingOf(row),
    embedding: embeddingOf(row),
    documents: await store.pipelineDocuments.count(scope, row.id),
    chunks: active?.chunkCount ?? 0,
    index: await progressOf(scope, indexes, active, store),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

async function progressOf(
  scope: Scope,
  indexes: readonly PipelineIndexRow[],
  active: PipelineIndexRow | undefined,
  store: Store,
): Promise<IndexProgress> {
  const building = indexes.find(({ state }) => state === "building")
  const newest = building ?? active
  const isDone = building === undefined && active?.hasWork !== true
  const vectorsLeft = isDone || newest?.embedding == null ? 0 : await store.pipelineChunks.countWithoutVector(scope, newest.id)
  const rebuild = building === undefined ? null : { documentsLeft: (await store.pipelineIndexes.unindexed(scope, building, 1)).count }
  return { status: isDone ? "ready" : "indexing", rebuild, vectorsLeft, error: isDone ? null : (newest?.error ?? null) }
}
