// Conformance of what agents are made of: model providers.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../core/principal.ts"
import type { ModelProviderRow } from "../agents/agent-store.ts"
import type { Store } from "../store.ts"
import { at } from "./oauth-samples.ts"
import { ensureUser, newScope } from "./samples.ts"
import type { StoreUnderTest } from "./suite.ts"

const providerRow = (fields: Partial<ModelProviderRow> = {}): ModelProviderRow => ({
  id: "local",
  kind: "openai_compatible",
  baseUrl: "http://127.0.0.1:11434/v1",
  hasKey: true,
  models: '["qwen3"]',
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
})

type Attempt = { readonly try: (store: Store, stranger: Scope) => Promise<unknown>; readonly nothing: unknown }

const page = { after: null, limit: 100 }

/** One for each verb, as the suite of scopes wants them. */
export const agentAttempts: Record<string, Attempt> = {
  "modelProviders.get": { try: (store, stranger) => store.modelProviders.get(stranger, "local"), nothing: null },
  "modelProviders.list": { try: (store, stranger) => store.modelProviders.list(stranger, page), nothing: [] },
  "modelProviders.put": {
    try: (store, stranger) => store.modelProviders.put(stranger, providerRow({ baseUrl: "https://evil.example.com" })),
    nothing: undefined,
  },
  "modelProviders.remove": { try: (store, stranger) => store.modelProviders.remove(stranger, "local"), nothing: false },
}

/** What a victim has of it. */
export async function addAgents(scope: Scope, store: Store): Promise<void> {
  await store.modelProviders.put(scope, providerRow())
}

export const agentInventory = async (scope: Scope, store: Store): Promise<unknown> => [await store.modelProviders.list(scope, page)]

export function testAgents(use: () => StoreUnderTest): void {
  describe("model providers", () => {
    it("are kept, listed by id in pages, changed and removed", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      for (const id of ["openai", "anthropic", "local"]) await store.modelProviders.put(scope, providerRow({ id }))
      expect((await other.modelProviders.list(scope, page)).map(({ id }) => id)).toEqual(["anthropic", "local", "openai"])
      expect((await store.modelProviders.list(scope, { after: "anthropic", limit: 1 })).map(({ id }) => id)).toEqual(["local"])
      const changed = providerRow({ hasKey: false, models: "[]", updatedAt: at(2) })
      await store.modelProviders.put(scope, changed)
      expect(await other.modelProviders.get(scope, "local")).toEqual(changed)
      expect(await store.modelProviders.remove(scope, "local")).toBe(true)
      expect(await other.modelProviders.get(scope, "local")).toBeNull()
    })
  })
}
