// Conformance of what makes vectors of tools, and of the vectors.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../core/principal.ts"
import type { ToolEmbeddingRow } from "../retrieval/retrieval-store.ts"
import type { Store } from "../store.ts"
import { at } from "./people/oauth-samples.ts"
import { ensureUser, newScope } from "./samples.ts"
import type { StoreUnderTest } from "./suite.ts"

const row = (id: string): ToolEmbeddingRow => ({ id, embedding: `{"model":"${id}"}`, createdBy: "anna", createdAt: at(0) })
const vector = (hash: string) => ({ hash, vector: Uint8Array.from([1, 255, 0]) })
const hashesOf = (found: readonly { readonly hash: string }[]): string[] => found.map(({ hash }) => hash).toSorted()

type Attempt = { readonly try: (store: Store, stranger: Scope) => Promise<unknown>; readonly nothing: unknown }

export const toolVectorAttempts: Record<string, Attempt> = {
  "toolEmbeddings.get": { try: (store, stranger) => store.toolEmbeddings.get(stranger), nothing: null },
  "toolEmbeddings.put": { try: (store, stranger) => store.toolEmbeddings.put(stranger, row("temb_m")), nothing: undefined },
  "toolEmbeddings.remove": { try: (store, stranger) => store.toolEmbeddings.remove(stranger), nothing: false },
  "toolVectors.get": { try: (store, stranger) => store.toolVectors.get(stranger, "temb_1", ["a"]), nothing: [] },
  "toolVectors.put": { try: (store, stranger) => store.toolVectors.put(stranger, "temb_1", [vector("m")], at(1)), nothing: undefined },
  "toolVectors.trim": { try: (store, stranger) => store.toolVectors.trim(stranger, 0), nothing: undefined },
}

export async function addToolVectors(scope: Scope, store: Store): Promise<void> {
  await store.toolEmbeddings.put(scope, row("temb_1"))
  await store.toolVectors.put(scope, "temb_1", [vector("a")], at(1))
}

export const toolVectorInventory = async (scope: Scope, store: Store): Promise<unknown> => [
  await store.toolEmbeddings.get(scope),
  await store.toolVectors.get(scope, "temb_1", ["a", "m"]),
]

export function testToolVectors(use: () => StoreUnderTest): void {
  describe("vectors of tools", () => {
    it("belong to one embedding, whose place another one takes without them", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      expect(await store.toolEmbeddings.get(scope)).toBeNull()
      const before = other.revision()
      await store.toolEmbeddings.put(scope, row("temb_1"))
      await expect.poll(() => other.revision()).not.toBe(before)
      expect(await other.toolEmbeddings.get(scope)).toEqual(row("temb_1"))
      await store.toolVectors.put(scope, "temb_1", [vector("a"), vector("b")], at(1))
      await other.toolVectors.put(scope, "temb_1", [vector("b"), vector("c")], at(2))
      const found = await other.toolVectors.get(scope, "temb_1", ["a", "b", "c", "d"])
      expect(hashesOf(found)).toEqual(["a", "b", "c"])
      expect([...(found[0]?.vector ?? [])]).toEqual([1, 255, 0])
      await other.toolEmbeddings.put(scope, row("temb_2"))
      // What a node was still making of the one before.
      await store.toolVectors.put(scope, "temb_1", [vector("d")], at(3))
      expect(await store.toolVectors.get(scope, "temb_1", ["a", "d"])).toEqual([])
      expect(await store.toolEmbeddings.remove(scope)).toBe(true)
      expect(await store.toolEmbeddings.remove(scope)).toBe(false)
    })

    it("are trimmed to the newest", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await store.toolEmbeddings.put(scope, row("temb_1"))
      for (const [minute, hash] of ["a", "b", "c"].entries()) await store.toolVectors.put(scope, "temb_1", [vector(hash)], at(minute))
      await store.toolVectors.trim(scope, 3)
      expect(hashesOf(await other.toolVectors.get(scope, "temb_1", ["a", "b", "c"]))).toEqual(["a", "b", "c"])
      await store.toolVectors.trim(scope, 2)
      expect(hashesOf(await other.toolVectors.get(scope, "temb_1", ["a", "b", "c"]))).toEqual(["b", "c"])
    })
  })
}
