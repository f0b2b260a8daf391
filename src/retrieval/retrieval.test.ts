// Pipelines from documents to answers: by words, by vectors, and while an index is being replaced.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Principal } from "../core/principal.ts"
import type { PipelineFilter } from "../core/retrieval/pipeline.ts"
import { addDocument, listDocuments, removeDocument } from "./documents.ts"
import { startIndexer } from "./indexer.ts"
import { createPipeline, getPipeline, listPipelines, removePipeline, updatePipeline } from "./pipelines.ts"
import { queryPipeline } from "./query.ts"
import { embedding, openTestRetrieval } from "./testing/open.ts"
import type { TestRetrieval } from "./testing/open.ts"

let retrieval: TestRetrieval
beforeAll(async () => {
  retrieval = await openTestRetrieval({ pipelinesMax: 4, pipelineDocumentBytesMax: 100_000, pipelineChunksMax: 300, pipelineRetryMs: 1 })
})
afterAll(() => retrieval.close())

const signal = new AbortController().signal
const sources = async (principal: Principal, query: string, filter?: PipelineFilter): Promise<string[]> => {
  const question = { query, ...(filter === undefined ? {} : { filter }) }
  const answer = await queryPipeline(principal, "docs", question, signal, retrieval.parts)
  return answer?.results.map(({ source }) => source ?? "") ?? []
}
const add = (principal: Principal, source: string, markdown: string, title?: string) =>
  addDocument(principal, "docs", { source, markdown, ...(title === undefined ? {} : { title }) }, retrieval.parts)

async function withDocs(settings: object = {}): Promise<Principal> {
  const principal = await retrieval.admin()
  await createPipeline(principal, { name: "Docs", ...settings }, retrieval.parts)
  return principal
}

describe("a pipeline", () => {
  it("is made with defaults, found by id and slug, and limited", async () => {
    const { parts } = retrieval
    const principal = await withDocs()
    const made = await getPipeline(principal, "docs", parts)
    expect(made).toMatchObject({ slug: "docs", chunking: { tokens: 400, overlap: 60 }, embedding: null, documents: 0 })
    expect(made.index).toEqual({ status: "ready", rebuild: null, vectorsLeft: 0, error: null })
    expect(await getPipeline(principal, made.id, parts)).toEqual(made)
    await expect(createPipeline(principal, { name: "docs" }, parts)).rejects.toMatchObject({ code: "conflict" })
    for (const name of ["B", "C", "D"]) await createPipeline(principal, { name }, parts)
    await expect(createPipeline(principal, { name: "E" }, parts)).rejects.toThrow("at most 4 pipelines")
    expect((await listPipelines(principal, { limit: 3 }, parts)).items.map(({ slug }) => slug)).toEqual(["b", "c", "d"])
    await removePipeline(principal, "docs", parts)
    await expect(getPipeline(principal, "docs", parts)).rejects.toMatchObject({ code: "not_found" })
  })

  it.each([
    [{ chunking: { tokens: 5 } }, "chunking.tokens must be"],
    [{ chunking: { tokens: 100, overlap: 51 } }, "chunking.overlap must be"],
    [{ chunking: { tokens: 1.5 } }, "chunking.tokens must be"],
    [{ embedding: { provider: "none", model: "m", dimensions: 8 } }, "no model provider 'none'"],
    [{ embedding: { provider: "local", model: "", dimensions: 8 } }, "embedding.model must have"],
    [{ embedding: { provider: "local", model: "m", dimensions: 0 } }, "embedding.dimensions must be"],
    [{ slug: "Not A Slug" }, "not the slug of a pipeline"],
    [{ name: "" }, "name must have"],
  ])("is refused with %j", async (settings, message) => {
    const principal = await retrieval.admin()
    await expect(createPipeline(principal, { name: "Docs", ...settings }, retrieval.parts)).rejects.toThrow(message)
  })

  it("is edited by humans with the right for it, and never by agents", async () => {
    const principal = await withDocs()
    for (const other of [
      { ...principal, rights: [] },
      { ...principal, rights: ["registry.publish" as const] },
      { ...principal, kind: "agent" as const, rights: ["registry.write" as const] },
    ]) {
      const refused = { code: "forbidden" }
      await expect(createPipeline(other, { name: "X" }, retrieval.parts)).rejects.toMatchObject(refused)
      await expect(updatePipeline(other, "docs", { name: "X" }, retrieval.parts)).rejects.toMatchObject(refused)
      await expect(removePipeline(other, "docs", retrieval.parts)).rejects.toMatchObject(refused)
      await expect(add(other, "a", "b")).rejects.toMatchObject(refused)
      await expect(removeDocument(other, "docs", "a", retrieval.parts)).rejects.toMatchObject(refused)
    }
    await expect(listDocuments({ ...principal, rights: [] }, "docs", {}, retrieval.parts)).rejects.toMatchObject({ code: "forbidden" })
  })
})

describe("documents", () => {
  it("are found as soon as they are added, replaced by their source, and removed", async () => {
    const { parts } = retrieval
    const principal = await withDocs()
    const first = await add(principal, "a.md", "# Holidays\n\nEverybody has thirty days.")
    expect(first).toMatchObject({ outcome: "created", title: "Holidays", format: "markdown", chunks: 1 })
    await add(principal, "b.md", "# Travel\n\nTake the train.")
    expect(await sources(principal, "how many days are there")).toEqual(["a.md"])
    expect(await add(principal, "a.md", "# Holidays\n\nEverybody has thirty days.")).toMatchObject({ id: first.id, outcome: "unchanged" })
    expect(await add(principal, "a.md", "# Holidays\n\nNobody works in August.")).toMatchObject({ id: first.id, outcome: "updated" })
    expect(await sources(principal, "thirty")).toEqual([])
    expect(await sources(principal, "august")).toEqual(["a.md"])
    expect((await listDocuments(principal, "docs", {}, parts)).items.map(({ title }) => title)).toEqual(["Holidays", "Travel"])
    await removeDocument(principal, "docs", first.id, parts)
    expect(await sources(principal, "august")).toEqual([])
    expect(await getPipeline(principal, "docs", parts)).toMatchObject({ documents: 1, chunks: 1 })
    await expect(removeDocument(principal, "docs", first.id, parts)).rejects.toMatchObject({ code: "not_found" })
  })

  it("are filtered by source, title and id", async () => {
    const principal = await withDocs()
    const { id } = await add(principal, "guide/a.md", "# One\n\nwords")
    await add(principal, "guide/b.md", "# Two\n\nwords")
    await add(principal, "notes/c.md", "# Two more\n\nwords")
    expect((await sources(principal, "words", { sourcePrefix: "guide/" })).toSorted()).toEqual(["guide/a.md", "guide/b.md"])
    expect((await sources(principal, "words", { titlePrefix: "Two" })).toSorted()).toEqual(["guide/b.md", "notes/c.md"])
    expect(await sources(principal, "words", { titlePrefix: "Two", sourcePrefix: "notes" })).toEqual(["notes/c.md"])
    expect(await sources(principal, "words", { documentIds: [id, "doc_none"] })).toEqual(["guide/a.md"])
    expect(await sources(principal, "words", { sourcePrefix: "none" })).toEqual([])
    expect(await sources(principal, "words", {})).toHaveLength(3)
  })

  it("come as text, Markdown, HTML and files", async () => {
    const { parts } = retrieval
    const principal = await withDocs()
    const file = (name: string, content: string | Uint8Array) => ({ file: { name, data: Buffer.from(content).toString("base64") } })
    const page =
      "<html><head><title>Shop</title></head><body><nav>menu</nav><main><h1>Returns</h1><p>Within two weeks.</p></main></body></html>"
    expect(await addDocument(principal, "docs", { html: page, source: "https://example.com/shop" }, parts)).toMatchObject({
      title: "Shop",
      format: "markdown",
    })
    expect(await addDocument(principal, "docs", { text: "# no heading" }, parts)).toMatchObject({ title: "Untitled", format: "text" })
    expect(await addDocument(principal, "docs", { ...file("notes.txt", "Plain"), title: "Given" }, parts)).toMatchObject({ title: "Given" })
    expect(await addDocument(principal, "docs", file("a/readme.md", "# Read me\n\nNow"), parts)).toMatchObject({ title: "Read me" })
    expect(await addDocument(principal, "docs", file("report.csv", "a,b\r\n1,2"), parts)).toMatchObject({ title: "report.csv" })
    expect(await sources(principal, "weeks")).toEqual(["https://example.com/shop"])
    expect(await sources(principal, "menu")).toEqual([])
  })

  it.each([
    [{}, "exactly one of text, markdown, html and file"],
    [{ text: "a", html: "b" }, "not text and html"],
    [{ text: " \n" }, "has no text"],
    [{ text: "a", title: " " }, "title must not be empty"],
    [{ text: "a", source: "" }, "source must have"],
    [{ text: "a", source: "x\u0000y" }, "source must have"],
    [{ file: { name: "a.txt", data: "not base64!" } }, "must be base64"],
    [{ file: { name: "a.pdf", data: Buffer.from([0x25, 0x50, 0xff, 0xfe]).toString("base64") } }, "is not text in UTF-8"],
    [{ file: { name: "a.bin", data: Buffer.from([0, 1, 2]).toString("base64") } }, "is not text in UTF-8"],
  ])("are refused with %j", async (document, message) => {
    const principal = await withDocs()
    await expect(addDocument(principal, "docs", document, retrieval.parts)).rejects.toThrow(message)
    expect(await getPipeline(principal, "docs", retrieval.parts)).toMatchObject({ documents: 0, chunks: 0 })
  })

  it("are refused where they or all of them are too large", async () => {
    const principal = await withDocs({ chunking: { tokens: 20, overlap: 0 } })
    const large = addDocument(principal, "docs", { text: "x".repeat(100_001) }, retrieval.parts)
    await expect(large).rejects.toThrow("larger than 100000 bytes")
    await expect(addDocument(principal, "docs", { text: "x ".repeat(40_000) }, retrieval.parts)).rejects.toThrow("at most 300 chunks")
    expect(await getPipeline(principal, "docs", retrieval.parts)).toMatchObject({ documents: 0, chunks: 0 })
  })
})

describe("a question", () => {
  it.each([
    [{ query: " " }, "query must not be empty"],
    [{ query: "x", topK: 0 }, "top_k must be"],
    [{ query: "x", topK: 101 }, "top_k must be"],
  ])("is refused with %j", async (question, message) => {
    const principal = await withDocs()
    await expect(queryPipeline(principal, "docs", question, signal, retrieval.parts)).rejects.toThrow(message)
  })

  it("is refused where it is too long", async () => {
    const long = queryPipeline(await withDocs(), "docs", { query: "x".repeat(10_001) }, signal, retrieval.parts)
    await expect(long).rejects.toThrow("at most 10000 characters")
  })

  it("of another tenant finds no pipeline", async () => {
    const principal = await withDocs()
    const { id } = await getPipeline(principal, "docs", retrieval.parts)
    expect(await queryPipeline(await retrieval.admin(), id, { query: "x" }, signal, retrieval.parts)).toBeNull()
  })
})

describe("vectors", () => {
  it("find what words do not, joined with the words' ranking", async () => {
    const { parts } = retrieval
    const principal = await withDocs({ embedding })
    await add(principal, "a.md", "# Leave\n\nYour holiday is thirty days")
    await add(principal, "b.md", "# Other\n\nThe cantina has soup")
    await retrieval.settled(principal)
    expect(await sources(principal, "vacation")).toContain("a.md")
    const answer = await queryPipeline(principal, "docs", { query: "soup", topK: 1 }, signal, parts)
    expect(answer?.results).toMatchObject([{ source: "b.md", position: 0 }])
    expect(answer?.degraded).toBeUndefined()
    // First in both rankings.
    expect(answer?.results[0]?.score).toBeCloseTo(2 / 61)
  })

  it("of documents that are replaced or gone are not found, nor those that a filter leaves out", async () => {
    const principal = await withDocs({ embedding })
    const { id } = await add(principal, "a.md", "holiday rules")
    await add(principal, "b.md", "holiday plans")
    await retrieval.settled(principal)
    expect((await sources(principal, "vacation")).toSorted()).toEqual(["a.md", "b.md"])
    expect(await sources(principal, "vacation", { sourcePrefix: "b" })).toEqual(["b.md"])
    await removeDocument(principal, "docs", id, retrieval.parts)
    expect(await sources(principal, "vacation")).toEqual(["b.md"])
    await add(principal, "c.md", "an automobile")
    await retrieval.settled(principal)
    expect((await sources(principal, "car"))[0]).toBe("c.md")
  })

  it("that cannot be made leave the answer to words, which says so", async () => {
    const { parts } = retrieval
    const principal = await withDocs({ embedding })
    await add(principal, "a.md", "holiday rules")
    await retrieval.settled(principal)
    retrieval.failWith("The endpoint is down")
    try {
      const answer = await queryPipeline(principal, "docs", { query: "holiday" }, signal, parts)
      expect(answer).toMatchObject({ degraded: "embeddings_unavailable", results: [{ source: "a.md" }] })
      await add(principal, "b.md", "more holiday")
      await vi.waitFor(async () => {
        expect((await getPipeline(principal, "docs", parts)).index).toMatchObject({
          status: "indexing",
          vectorsLeft: 1,
          error: "The endpoint is down",
        })
      })
      expect(await sources(principal, "holiday")).toHaveLength(2)
    } finally {
      retrieval.failWith(null)
    }
    await retrieval.settled(principal)
    expect((await getPipeline(principal, "docs", parts)).index).toEqual({ status: "ready", rebuild: null, vectorsLeft: 0, error: null })
  })
})

describe("another way to index", () => {
  it("takes effect when its index is complete, while the old one answers, and the old one goes", async () => {
    const { parts } = retrieval
    const { store } = parts
    const principal = await withDocs()
    const text = Array.from({ length: 40 }, (_, number) => `Paragraph ${number} is about subject${number}.`).join("\n\n")
    await add(principal, "a.md", text)
    const before = await getPipeline(principal, "docs", parts)
    retrieval.failWith("not yet")
    const changed = await updatePipeline(principal, "docs", { chunking: { tokens: 40, overlap: 0 }, embedding }, parts)
    expect(changed.after.index.status).toBe("indexing")
    expect(await sources(principal, "subject7")).toEqual(["a.md"])
    await add(principal, "b.md", "Another about subject7")
    await vi.waitFor(async () => expect((await getPipeline(principal, "docs", parts)).index.error).toBe("not yet"))
    expect((await sources(principal, "subject7")).toSorted()).toEqual(["a.md", "b.md"])
    expect((await getPipeline(principal, "docs", parts)).chunks).toBe(before.chunks + 1)
    retrieval.failWith(null)
    await retrieval.settled(principal)
    const after = await getPipeline(principal, "docs", parts)
    expect(after.chunks).toBeGreaterThan(before.chunks + 1)
    expect((await sources(principal, "subject7")).toSorted()).toContain("b.md")
    expect((await store.pipelineIndexes.ofPipeline(principal, after.id)).map(({ state }) => state)).toEqual(["active"])
    const same = await updatePipeline(principal, "docs", { name: "Renamed", chunking: { tokens: 40 } }, parts)
    expect(same.after).toMatchObject({ name: "Renamed", index: { status: "ready" } })
  })

  it("that is changed again before it was complete is never used", async () => {
    const { parts } = retrieval
    const principal = await withDocs()
    await add(principal, "a.md", "holiday")
    retrieval.failWith("never")
    await updatePipeline(principal, "docs", { embedding }, parts)
    await updatePipeline(principal, "docs", { embedding: null }, parts)
    retrieval.failWith(null)
    await retrieval.settled(principal)
    expect(await getPipeline(principal, "docs", parts)).toMatchObject({ embedding: null, index: { status: "ready" } })
    expect(await sources(principal, "holiday")).toEqual(["a.md"])
  })

  it("is worked on by one of two nodes only", async () => {
    const principal = await withDocs({ embedding })
    const before = retrieval.embedded.length
    const other = startIndexer(retrieval.indexerOf("node_other"))
    for (let number = 0; number < 30; number += 1) {
      await add(principal, `${number}.md`, `document ${number} of many`)
      other.wake()
    }
    await retrieval.settled(principal)
    await other.stop()
    const texts = retrieval.embedded.slice(before).flat()
    expect(texts).toHaveLength(30)
    expect(new Set(texts).size).toBe(30)
  })
})
