// Conformance of retrieval: pipelines, documents, the work on indexes, chunks and vectors.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import type { NewIndex, PipelineDocumentRow, PipelineIndexRow, PipelineRow } from "../retrieval/retrieval-store.ts"
import type { Store } from "../store.ts"
import { ensureUser, newScope } from "./samples.ts"
import type { StoreUnderTest } from "./suite.ts"
import { addToolVectors, toolVectorAttempts, toolVectorInventory } from "./tool-vectors.ts"

const at = (minutes: number): string => new Date(Date.UTC(2026, 10, 1) + minutes * 60_000).toISOString()

const recipe = { chunkTokens: 400, chunkOverlap: 60, embedding: null }

export const pipelineRow = (slug: string, fields: Partial<PipelineRow> = {}): PipelineRow => ({
  ...recipe,
  id: `pipe_${slug}`,
  slug,
  name: `Name of ${slug}`,
  indexId: `idx_${slug}`,
  createdBy: "alice",
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
})

export const indexRow = (id: string, pipelineId: string, fields: Partial<NewIndex> = {}): NewIndex => ({
  ...recipe,
  id,
  pipelineId,
  state: "active",
  hasWork: false,
  createdAt: at(0),
  ...fields,
})

export const documentRow = (id: string, fields: Partial<PipelineDocumentRow> = {}): PipelineDocumentRow => ({
  id,
  source: `docs/${id}.md`,
  title: `Title of ${id}`,
  format: "markdown",
  revision: "1",
  hash: "hash",
  bytes: 10,
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
})

const page = { after: null, limit: 100 }
const content = new Uint8Array([1, 2, 3])
const bytesOf = (...values: number[]): Uint8Array => new Uint8Array(new Float32Array(values).buffer)
const signal = new AbortController().signal

type Attempt = { readonly try: (store: Store, stranger: Scope) => Promise<unknown>; readonly nothing: unknown }

const victimIndex: PipelineIndexRow = {
  ...indexRow("idx_docs", "pipe_docs"),
  chunkCount: 1,
  vectorsRemoved: 0,
  error: null,
  leaseUntil: null,
}
const lease = { owner: "node_x", until: "2030-01-01" }

/** One for each verb, as the suite of scopes wants them. */
export const retrievalAttempts: Record<string, Attempt> = {
  ...toolVectorAttempts,
  "pipelines.get": { try: (store, stranger) => store.pipelines.get(stranger, "pipe_docs"), nothing: null },
  "pipelines.findBySlug": { try: (store, stranger) => store.pipelines.findBySlug(stranger, "docs"), nothing: null },
  "pipelines.list": { try: (store, stranger) => store.pipelines.list(stranger, page), nothing: [] },
  "pipelines.put": { try: (store, stranger) => store.pipelines.put(stranger, pipelineRow("docs", { name: "M" })), nothing: undefined },
  "pipelines.remove": { try: (store, stranger) => store.pipelines.remove(stranger, "pipe_docs"), nothing: false },
  "pipelineDocuments.get": { try: (store, stranger) => store.pipelineDocuments.get(stranger, "pipe_docs", "doc_a"), nothing: null },
  "pipelineDocuments.findBySource": {
    try: (store, stranger) => store.pipelineDocuments.findBySource(stranger, "pipe_docs", "docs/doc_a.md"),
    nothing: null,
  },
  "pipelineDocuments.list": { try: (store, stranger) => store.pipelineDocuments.list(stranger, "pipe_docs", page), nothing: [] },
  "pipelineDocuments.match": {
    try: (store, stranger) => store.pipelineDocuments.match(stranger, "pipe_docs", { sourcePrefix: "docs/" }, 9),
    nothing: [],
  },
  "pipelineDocuments.count": { try: (store, stranger) => store.pipelineDocuments.count(stranger, "pipe_docs"), nothing: 0 },
  "pipelineDocuments.content": { try: (store, stranger) => store.pipelineDocuments.content(stranger, "pipe_docs", "doc_a"), nothing: null },
  "pipelineDocuments.put": {
    try: (store, stranger) => store.pipelineDocuments.put(stranger, "pipe_docs", documentRow("doc_a", { title: "M" }), content),
    nothing: "refused",
  },
  "pipelineDocuments.remove": { try: (store, stranger) => store.pipelineDocuments.remove(stranger, "pipe_docs", "doc_a"), nothing: false },
  "pipelineIndexes.get": { try: (store, stranger) => store.pipelineIndexes.get(stranger, "idx_docs"), nothing: null },
  "pipelineIndexes.ofPipeline": { try: (store, stranger) => store.pipelineIndexes.ofPipeline(stranger, "pipe_docs"), nothing: [] },
  "pipelineIndexes.create": {
    try: (store, stranger) => store.pipelineIndexes.create(stranger, indexRow("idx_docs", "pipe_docs")),
    nothing: undefined,
  },
  "pipelineIndexes.setState": {
    try: (store, stranger) => store.pipelineIndexes.setState(stranger, "idx_docs", "retired"),
    nothing: undefined,
  },
  // Without a scope, for the server itself: the victim's has no work, and another node's lease is none of ours.
  "pipelineIndexes.claim": { try: (store) => store.pipelineIndexes.claim(lease, at(0)), nothing: null },
  "pipelineIndexes.renew": { try: (store, stranger) => store.pipelineIndexes.renew(stranger, "idx_docs", lease), nothing: false },
  "pipelineIndexes.release": {
    try: (store, stranger) => store.pipelineIndexes.release(stranger, "idx_docs", "node_x", { hasWork: true, retryAt: null, error: "M" }),
    nothing: undefined,
  },
  "pipelineIndexes.releaseAll": { try: (store) => store.pipelineIndexes.releaseAll("node_x"), nothing: undefined },
  "pipelineIndexes.unindexed": {
    try: (store, stranger) => store.pipelineIndexes.unindexed(stranger, victimIndex, 9),
    nothing: { ids: [], count: 0 },
  },
  "pipelineIndexes.erase": { try: (store, stranger) => store.pipelineIndexes.erase(stranger, "idx_docs"), nothing: false },
  "pipelineChunks.replace": {
    try: (store, stranger) => store.pipelineChunks.replace(stranger, "idx_docs", { id: "doc_a", revision: "2", title: "M", chunks: [] }),
    nothing: "refused",
  },
  "pipelineChunks.remove": { try: (store, stranger) => store.pipelineChunks.remove(stranger, "idx_docs", "doc_a"), nothing: undefined },
  "pipelineChunks.search": {
    try: (store, stranger) => store.pipelineChunks.search(stranger, victimIndex, { text: "ginger", documents: null, limit: 9, signal }),
    nothing: [],
  },
  "pipelineChunks.withoutVector": {
    try: (store, stranger) => store.pipelineChunks.withoutVector(stranger, "idx_docs", page),
    nothing: [],
  },
  "pipelineChunks.countWithoutVector": {
    try: (store, stranger) => store.pipelineChunks.countWithoutVector(stranger, "idx_docs"),
    nothing: 0,
  },
  "pipelineChunks.putVectors": {
    try: (store, stranger) => store.pipelineChunks.putVectors(stranger, "idx_docs", [{ chunkNo: 1, vector: content }]),
    nothing: undefined,
  },
  "pipelineChunks.vectors": { try: (store, stranger) => store.pipelineChunks.vectors(stranger, "idx_docs", page), nothing: [] },
  "pipelineChunks.get": {
    try: (store, stranger) =>
      store.pipelineChunks.get(
        stranger,
        victimIndex,
        Array.from({ length: 200 }, (_, number) => number),
      ),
    nothing: [],
  },
}

/** What a victim has of it. */
export async function addRetrieval(scope: Scope, store: Store): Promise<void> {
  await store.pipelines.put(scope, pipelineRow("docs"))
  await store.pipelineIndexes.create(scope, indexRow("idx_docs", "pipe_docs"))
  await store.pipelineDocuments.put(scope, "pipe_docs", documentRow("doc_a"), content)
  const chunks = [{ heading: "Tea", body: "Ginger and lemon" }]
  await store.pipelineChunks.replace(scope, "idx_docs", { id: "doc_a", revision: "1", title: "Title", chunks })
  await addToolVectors(scope, store)
}

export const retrievalInventory = async (scope: Scope, store: Store): Promise<unknown> => [
  await store.pipelines.list(scope, page),
  await store.pipelineIndexes.ofPipeline(scope, "pipe_docs"),
  await store.pipelineDocuments.list(scope, "pipe_docs", page),
  await store.pipelineDocuments.content(scope, "pipe_docs", "doc_a"),
  await store.pipelineChunks.search(scope, victimIndex, { text: "ginger", documents: null, limit: 9, signal }),
  await store.pipelineChunks.withoutVector(scope, "idx_docs", page),
  await toolVectorInventory(scope, store),
]

export function testRetrieval(use: () => StoreUnderTest): void {
  /** A pipeline with a document for each text. */
  async function pipelineWith(texts: Readonly<Record<string, string>>): Promise<Opened> {
    const { store } = use()
    const scope = newScope()
    await ensureUser(store, scope)
    const indexId = newId("idx")
    const pipeline = pipelineRow("docs", { indexId })
    await store.pipelines.put(scope, pipeline)
    await store.pipelineIndexes.create(scope, indexRow(indexId, pipeline.id))
    for (const [id, text] of Object.entries(texts)) {
      await store.pipelineDocuments.put(scope, pipeline.id, documentRow(id), content)
      const chunks = text.split("|").map((body) => ({ heading: "", body }))
      await store.pipelineChunks.replace(scope, indexId, { id, revision: "1", title: "", chunks })
    }
    const index = async (): Promise<PipelineIndexRow> => {
      const row = await store.pipelineIndexes.get(scope, indexId)
      if (row === null) throw new Error("The index is there")
      return row
    }
    const find = async (text: string, documents: readonly string[] | null = null, limit = 10): Promise<string[]> => {
      const ranked = await store.pipelineChunks.search(scope, await index(), { text, documents, limit, signal })
      const found = new Map(
        (
          await store.pipelineChunks.get(
            scope,
            await index(),
            ranked.map(({ chunkNo }) => chunkNo),
          )
        ).map((chunk) => [chunk.chunkNo, `${chunk.documentId}.${chunk.position}`]),
      )
      expect(ranked.every(({ score }) => score > 0)).toBe(true)
      return ranked.map(({ chunkNo }) => found.get(chunkNo) ?? "gone")
    }
    return { store, scope, indexId, index, find }
  }

  describe("pipelines", () => {
    it("are listed by slug, and have slugs of their own", async () => {
      const { store } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await store.pipelines.put(scope, pipelineRow("b"))
      await store.pipelines.put(scope, pipelineRow("a"))
      await store.pipelines.put(scope, pipelineRow("b", { name: "Another" }))
      expect((await store.pipelines.list(scope, { after: null, limit: 1 })).map(({ slug }) => slug)).toEqual(["a"])
      expect(await store.pipelines.list(scope, { after: "a", limit: 9 })).toEqual([pipelineRow("b", { name: "Another" })])
      expect(await store.pipelines.findBySlug(scope, "a")).toEqual(pipelineRow("a"))
      await expect(store.pipelines.put(scope, pipelineRow("a", { id: "pipe_c" }))).rejects.toMatchObject({ code: "conflict" })
    })

    it("keep documents, which filters find", async () => {
      const { store, scope } = await pipelineWith({})
      const put = (id: string, fields: Partial<PipelineDocumentRow> = {}) =>
        store.pipelineDocuments.put(scope, "pipe_docs", documentRow(id, fields), content)
      await put("doc_a", { source: "guide/a_b.md", title: "Über alles" })
      await put("doc_b", { source: "guide/aXb.md", title: "Under" })
      await put("doc_c", { source: null })
      await put("doc_d", { source: null })
      const match = (filter: object) => store.pipelineDocuments.match(scope, "pipe_docs", filter, 10)
      expect(await match({ sourcePrefix: "guide/a_" })).toEqual(["doc_a"])
      expect(await match({ sourcePrefix: "guide/" })).toEqual(["doc_a", "doc_b"])
      expect(await match({ titlePrefix: "Üb" })).toEqual(["doc_a"])
      expect(await match({ ids: ["doc_c", "doc_z"] })).toEqual(["doc_c"])
      expect(await match({ ids: [] })).toEqual([])
      expect(await match({ ids: ["doc_a", "doc_b"], titlePrefix: "Un" })).toEqual(["doc_b"])
      const find = async (query: string) =>
        (await store.pipelineDocuments.list(scope, "pipe_docs", { after: null, limit: 10, query })).map(({ id }) => id)
      expect(await find("UIDE/A_")).toEqual(["doc_a"])
      expect(await find("under")).toEqual(["doc_b"])
      expect(await find("%")).toEqual([])
      expect(await store.pipelineDocuments.count(scope, "pipe_docs")).toBe(4)
      expect((await store.pipelineDocuments.findBySource(scope, "pipe_docs", "guide/a_b.md"))?.id).toBe("doc_a")
      expect([...((await store.pipelineDocuments.content(scope, "pipe_docs", "doc_a")) ?? [])]).toEqual([1, 2, 3])
      expect(await store.pipelineDocuments.remove(scope, "pipe_docs", "doc_a")).toBe(true)
      expect(await store.pipelineDocuments.get(scope, "pipe_docs", "doc_a")).toBeNull()
    })
  })

  describe("words", () => {
    it("find chunks by stem, without case and marks, rare words first", async () => {
      const { find } = await pipelineWith({
        doc_a: "Rotating the tokens of a connection|The café is open, the token is not",
        doc_b: "A token is a word; another token, and a third token",
        doc_c: "Nothing of the kind",
      })
      expect(await find("rotate")).toEqual(["doc_a.0"])
      expect(await find("CAFE")).toEqual(["doc_a.1"])
      expect((await find("token connections"))[0]).toBe("doc_a.0")
      expect((await find("token")).toSorted()).toEqual(["doc_a.0", "doc_a.1", "doc_b.0"])
      expect(await find("token", ["doc_b"])).toEqual(["doc_b.0"])
      expect(await find("token", [])).toEqual([])
      expect(await find("token", null, 1)).toHaveLength(1)
      expect(await find("nowhere")).toEqual([])
    })

    it("are found inside what punctuation and case join, and in scripts without spaces", async () => {
      const { find } = await pipelineWith({
        doc_a: "Set EXECUTOR_DATA_DIR or executor.config.ts, see https://example.com/guide/install",
        doc_b: "maxConcurrency limits calls",
        doc_c: "東京都の天気予報",
        doc_d: "Version 1.2.3-beta, O'Reilly",
      })
      expect(await find("data dir")).toEqual(["doc_a.0"])
      expect(await find("config")).toEqual(["doc_a.0"])
      expect(await find("install")).toEqual(["doc_a.0"])
      expect(await find("concurrency")).toEqual(["doc_b.0"])
      expect(await find("MAXCONCURRENCY")).toEqual(["doc_b.0"])
      expect(await find("天気")).toEqual(["doc_c.0"])
      expect(await find("beta reilly")).toEqual(["doc_d.0"])
    })

    it("of a question that says nothing else are common ones", async () => {
      const { find } = await pipelineWith({ doc_a: "To be or not to be", doc_b: "Questions are answered here" })
      expect(await find("to be or not to be")).toContain("doc_a.0")
    })

    it("of a hostile question are words and nothing else", async () => {
      const { find } = await pipelineWith({ doc_a: "alpha beta", doc_b: "gamma NEAR title" })
      for (const query of [
        'alpha" OR "gamma',
        "alpha NEAR(gamma)",
        "title:alpha",
        "^alpha*",
        "alpha & !beta",
        "'); drop table pipelines; --",
        "alpha\0beta",
        "\ud800 alpha",
        "alpha -beta",
        "{title} : alpha",
      ])
        expect([query, (await find(query)).length > 0 || !/alpha/.test(query)]).toEqual([query, true])
      for (const query of ["", " ", "\0", "!!! ???", "()", '"', "* AND NOT", "\u200b", "'"])
        expect([query, (await find(query)).filter((id) => id === "doc_a.0")]).toEqual([query, []])
      expect(await find(`alpha ${"lorem ipsum ".repeat(5000)}`)).toEqual(["doc_a.0"])
      expect(await find("x".repeat(100_000))).toEqual([])
    })

    it("of an index that is gone find nothing", async () => {
      const { store, scope, index } = await pipelineWith({ doc_a: "alpha" })
      const before = await index()
      await store.pipelines.remove(scope, "pipe_docs")
      while (await store.pipelineIndexes.erase(scope, before.id));
      expect(await store.pipelineChunks.search(scope, before, { text: "alpha", documents: null, limit: 9, signal })).toEqual([])
      await expect(
        store.pipelineChunks.replace(scope, before.id, { id: "doc_a", revision: "2", title: "", chunks: [] }),
      ).rejects.toMatchObject({ code: "conflict" })
    })

    it("change with their document, and go with it", async () => {
      const { store, scope, index, indexId, find } = await pipelineWith({ doc_a: "alpha|beta", doc_b: "beta" })
      const chunks = [{ heading: "Heading", body: "gamma" }]
      await store.pipelineChunks.replace(scope, indexId, { id: "doc_a", revision: "2", title: "Delta", chunks })
      expect(await find("alpha")).toEqual([])
      expect(await find("beta")).toEqual(["doc_b.0"])
      for (const word of ["gamma", "heading", "delta"]) expect(await find(word)).toEqual(["doc_a.0"])
      expect((await index()).chunkCount).toBe(2)
      await store.pipelineChunks.remove(scope, indexId, "doc_a")
      expect(await find("gamma")).toEqual([])
      expect((await index()).chunkCount).toBe(1)
    })

    it("of other indexes and tenants count nowhere else", async () => {
      const first = await pipelineWith({ doc_a: "alpha beta" })
      const second = await pipelineWith({ doc_b: "alpha" })
      expect(await first.find("alpha")).toEqual(["doc_a.0"])
      expect(await second.find("beta")).toEqual([])
    })

    it("of many chunks are found beside the server's thread, until nobody waits", async () => {
      const words = ["alpha", "beta", "gamma", "delta"]
      const text = Array.from({ length: 5000 }, (_, number) => `every ${words[number % 4]} common${number}`).join("|")
      const { store, scope, index, find } = await pipelineWith({ doc_a: text })
      expect(await find("common4999")).toEqual(["doc_a.4999"])
      expect((await find("alpha beta common7"))[0]).toBe("doc_a.7")
      expect((await find("every alpha beta gamma common7"))[0]).toBe("doc_a.7")
      expect(await find("gamma", null, 1300)).toHaveLength(1250)
      expect(await find("nowhere")).toEqual([])
      const left = AbortSignal.abort(new Error("left"))
      const asked = store.pipelineChunks.search(scope, await index(), { text: "alpha", documents: null, limit: 9, signal: left })
      await asked.catch((error: Error) => expect(error.message).toBe("left"))
    })
  })

  describe("vectors", () => {
    it("are added to chunks that have none, and go with them", async () => {
      const { store, scope, index, indexId } = await pipelineWith({ doc_a: "a|b", doc_b: "c" })
      const missing = await store.pipelineChunks.withoutVector(scope, indexId, page)
      expect(missing.map(({ body, title }) => [body, title])).toEqual([
        ["a", "Title of doc_a"],
        ["b", "Title of doc_a"],
        ["c", "Title of doc_b"],
      ])
      const [a, b, c] = missing.map(({ chunkNo }) => chunkNo)
      if (a === undefined || b === undefined || c === undefined) throw new Error("Three chunks")
      expect((await store.pipelineChunks.withoutVector(scope, indexId, { after: a, limit: 1 })).map(({ body }) => body)).toEqual(["b"])
      await store.pipelineChunks.putVectors(scope, indexId, [
        { chunkNo: a, vector: bytesOf(1, 2) },
        { chunkNo: c, vector: bytesOf(3, 4) },
        { chunkNo: c + 1000, vector: bytesOf(5, 6) },
      ])
      await store.pipelineChunks.putVectors(scope, indexId, [{ chunkNo: a, vector: bytesOf(9, 9) }])
      expect(await store.pipelineChunks.countWithoutVector(scope, indexId)).toBe(1)
      const stored = await store.pipelineChunks.vectors(scope, indexId, page)
      expect(stored.map(({ chunkNo, documentId, vector }) => [chunkNo, documentId, [...vector]])).toEqual([
        [a, "doc_a", [...bytesOf(1, 2)]],
        [c, "doc_b", [...bytesOf(3, 4)]],
      ])
      expect(await store.pipelineChunks.vectors(scope, indexId, { after: stored[0]?.vectorNo ?? 0, limit: 9 })).toHaveLength(1)
      await store.pipelineChunks.remove(scope, indexId, "doc_a")
      expect(await store.pipelineChunks.vectors(scope, indexId, page)).toHaveLength(1)
      expect((await index()).vectorsRemoved).toBe(1)
    })
  })

  describe("the work on an index", () => {
    it("belongs to one node at a time, until its lease runs out", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const id = newId("idx")
      await store.pipelineIndexes.create(scope, indexRow(id, "pipe_w", { hasWork: true }))
      const claims = await Promise.all([
        store.pipelineIndexes.claim({ owner: "one", until: at(60) }, at(0)),
        other.pipelineIndexes.claim({ owner: "two", until: at(60) }, at(0)),
      ])
      expect(claims.filter((claim) => claim?.index.id === id)).toHaveLength(1)
      const [owner, loser] = claims[0] === null ? ["two", "one"] : ["one", "two"]
      expect(await store.pipelineIndexes.renew(scope, id, { owner: loser, until: at(90) })).toBe(false)
      expect(await store.pipelineIndexes.renew(scope, id, { owner, until: at(90) })).toBe(true)
      expect(await other.pipelineIndexes.claim({ owner: "three", until: at(99) }, at(80))).toBeNull()
      const taken = await other.pipelineIndexes.claim({ owner: "three", until: at(200) }, at(91))
      expect(taken).toMatchObject({ scope: { tenant: scope.tenant }, index: { id } })
      await store.pipelineIndexes.release(scope, id, owner, { hasWork: false, retryAt: null, error: null })
      expect((await store.pipelineIndexes.get(scope, id))?.hasWork).toBe(true)
      await store.pipelineIndexes.release(scope, id, "three", { hasWork: true, retryAt: at(300), error: "down" })
      expect(await store.pipelineIndexes.claim({ owner: "four", until: at(400) }, at(299))).toBeNull()
      expect(await store.pipelineIndexes.claim({ owner: "four", until: at(400) }, at(300), [scope.tenant])).toBeNull()
      expect(await store.pipelineIndexes.claim({ owner: "four", until: at(400) }, at(300), ["another"])).toMatchObject({
        index: { id, error: "down" },
      })
      await store.pipelineIndexes.releaseAll("four")
      expect(await store.pipelineIndexes.claim({ owner: "five", until: at(400) }, at(301))).toMatchObject({ index: { id } })
      await store.pipelineIndexes.release(scope, id, "five", { hasWork: false, retryAt: null, error: null })
      expect(await store.pipelineIndexes.claim({ owner: "six", until: at(500) }, at(499))).toBeNull()
    })

    it("is what documents it does not hold in their current revision", async () => {
      const { store, scope, index, indexId } = await pipelineWith({ doc_a: "a", doc_b: "b" })
      expect(await store.pipelineIndexes.unindexed(scope, await index(), 9)).toEqual({ ids: [], count: 0 })
      await store.pipelineDocuments.put(scope, "pipe_docs", documentRow("doc_a", { revision: "2" }), content)
      await store.pipelineDocuments.put(scope, "pipe_docs", documentRow("doc_c"), content)
      expect(await store.pipelineIndexes.unindexed(scope, await index(), 1)).toEqual({ ids: ["doc_a"], count: 2 })
      await store.pipelineChunks.replace(scope, indexId, { id: "doc_a", revision: "2", title: "", chunks: [] })
      expect(await store.pipelineIndexes.unindexed(scope, await index(), 9)).toEqual({ ids: ["doc_c"], count: 1 })
    })

    it("of one that is retired is to remove its rows, piece by piece", async () => {
      const { store, scope, indexId, find } = await pipelineWith({ doc_a: Array.from({ length: 1200 }, () => "word").join("|") })
      expect(await store.pipelineIndexes.erase(scope, indexId)).toBe(false)
      expect(await find("word")).toHaveLength(10)
      await store.pipelines.remove(scope, "pipe_docs")
      expect(await store.pipelineIndexes.get(scope, indexId)).toMatchObject({ state: "retired", hasWork: true })
      let pieces = 0
      while (await store.pipelineIndexes.erase(scope, indexId)) pieces += 1
      expect(pieces).toBe(3)
      expect(await store.pipelineIndexes.get(scope, indexId)).toBeNull()
      expect(await store.pipelineChunks.withoutVector(scope, indexId, page)).toEqual([])
    })
  })
}

type Opened = {
  readonly store: Store
  readonly scope: Scope
  readonly indexId: string
  index(): Promise<PipelineIndexRow>
  /** Chunks as `document.position`, best first. */
  find(text: string, documents?: readonly string[] | null, limit?: number): Promise<string[]>
}
