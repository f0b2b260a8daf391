// Conformance of text as strangers write it: both databases keep it, or give the same in its place.
import { describe, expect, it } from "vitest"
import type { StoreUnderTest } from "./suite.ts"
import { connect, ensureUser, integrationRow, newScope, tokenRow, toolKey, toolSet, toolWrite } from "./samples.ts"

const hostile = {
  quotes: `'; drop table tools; -- " \` \\ \\' $1 ? :name @x {{}}`,
  controls: "a\u0001\u0008\u001b[31m\u007f\r\n\t\u2028\u202e\ufeff",
  emoji: "👩‍👩‍👧‍👦 🏳️‍🌈 \u{10FFFF}",
  long: "x".repeat(3_000_000),
  empty: "",
}

export function testHostileText(use: () => StoreUnderTest): void {
  describe("hostile text", () => {
    for (const [name, text] of Object.entries(hostile)) {
      it(`comes back as it was: ${name}`, async () => {
        const { store } = use()
        const scope = newScope()
        const tool = toolWrite("t", {
          title: text,
          summary: text,
          description: text,
          tags: [text],
          approvalDescription: text,
          inputSchema: JSON.stringify(text),
        })
        await connect(store, scope, "a", "org", { id: "set", tools: [tool], definitions: new Map([[text, JSON.stringify(text)]]) })
        await store.integrations.put(scope, integrationRow("b", { name: text, description: text, config: JSON.stringify({ text }) }))
        expect(await store.tools.get(scope, toolKey("a", "org", "main", "t"))).toMatchObject(tool)
        expect(await store.integrations.get(scope, "b")).toMatchObject({ name: text, config: JSON.stringify({ text }) })
        expect(await store.toolSets.definitions(scope, "set", [text])).toEqual(new Map([[text, JSON.stringify(text)]]))
        expect(await store.documents.get(scope, await store.documents.put(scope, text))).toBe(text)
      })
    }

    it("has a replacement for what no database column holds: NUL and half characters", async () => {
      const { store } = use()
      const scope = newScope()
      const tool = toolWrite("t", { description: "a\0b\ud800c" })
      await connect(store, scope, "a", "org", { id: "set", tools: [tool], definitions: new Map() })
      expect(await store.tools.get(scope, toolKey("a", "org", "main", "t"))).toMatchObject({ description: "a\uFFFDb\uFFFDc" })
      expect(await store.tools.count(scope, { query: "A\0B" })).toBe(1)
    })

    it("finds nothing by an id with NUL in it, and does not fail", async () => {
      const { store } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await store.tokens.put(tokenRow(scope, { id: "tok" }))
      expect(await store.integrations.get(scope, "a\0")).toBeNull()
      expect(await store.tokens.remove(scope, "tok\0")).toBe(false)
      expect(await store.tokens.findByHash("\0")).toBeNull()
      expect(await store.policies.get(scope, "\0")).toBeNull()
      expect(await store.tools.list(scope, { integration: "a\0", query: "\0" }, { after: null, limit: 1 })).toEqual([])
      expect(await store.users.get({ tenant: "\0", user: "\0" })).toBeNull()
    })

    it("has names that look alike to a locale and are not the same", async () => {
      const { store } = use()
      const scope = newScope()
      const names = ["A", "B", "_", "a", "a.b", "aB", "a_b", "ab", "b"]
      await connect(store, scope, "a", "org", toolSet("set", names.toReversed()))
      expect((await store.tools.list(scope, {}, { after: null, limit: 100 })).map((row) => row.name)).toEqual(names)
      const page = await store.tools.list(scope, {}, { after: toolKey("a", "org", "main", "a.b"), limit: 2 })
      expect(page.map((row) => row.name)).toEqual(["aB", "a_b"])
    })
  })
}
