// Conformance of agents, their versions, and model providers.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../core/principal.ts"
import type { AgentRow, AgentVersionRow, ModelProviderRow } from "../agents/agent-store.ts"
import type { Store } from "../store.ts"
import { at } from "./people/oauth-samples.ts"
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

const agentRow = (slug: string, fields: Partial<AgentRow> = {}): AgentRow => ({
  id: `agent_${slug}`,
  slug,
  definition: '{"name":"Support"}',
  status: "draft",
  version: "1.0.0",
  publishedVersion: null,
  publishedAt: null,
  contentHash: "hash",
  publishedHash: null,
  writtenBy: "bob",
  createdBy: "alice",
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
})

const versionRow = (agentId: string, version: string): Omit<AgentVersionRow, "position"> => ({
  agentId,
  version,
  snapshot: `{"name":"${version}"}`,
  hash: `hash-${version}`,
  writtenBy: "bob",
  by: "alice",
  at: at(1),
  reason: null,
})

type Attempt = { readonly try: (store: Store, stranger: Scope) => Promise<unknown>; readonly nothing: unknown }

const page = { after: null, limit: 100 }

/** One for each verb, as the suite of scopes wants them. */
export const agentAttempts: Record<string, Attempt> = {
  "agents.find": { try: (store, stranger) => store.agents.find(stranger, "support"), nothing: null },
  "agents.list": { try: (store, stranger) => store.agents.list(stranger, page), nothing: [] },
  "agents.put": { try: (store, stranger) => store.agents.put(stranger, agentRow("support", { definition: "{}" })), nothing: undefined },
  "agents.remove": { try: (store, stranger) => store.agents.remove(stranger, "agent_support"), nothing: false },
  "agentVersions.get": { try: (store, stranger) => store.agentVersions.get(stranger, "agent_support", "1.0.0"), nothing: null },
  "agentVersions.list": {
    try: (store, stranger) => store.agentVersions.list(stranger, "agent_support", { after: null, limit: 9 }),
    nothing: [],
  },
  "agentVersions.add": {
    try: (store, stranger) => store.agentVersions.add(stranger, versionRow("agent_support", "2.0.0")),
    nothing: "refused",
  },
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
  await store.agents.put(scope, agentRow("support"))
  await store.agentVersions.add(scope, versionRow("agent_support", "1.0.0"))
}

export const agentInventory = async (scope: Scope, store: Store): Promise<unknown> => [
  await store.modelProviders.list(scope, page),
  await store.agents.list(scope, page),
  await store.agentVersions.list(scope, "agent_support", { after: null, limit: 9 }),
]

export function testAgents(use: () => StoreUnderTest): void {
  describe("agents", () => {
    it("are found by id and slug, listed by slug, and keep each version once", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const row = agentRow("support", { publishedVersion: "1.0.0", publishedAt: at(1), publishedHash: "hash", status: "published" })
      await store.agents.put(scope, row)
      await store.agents.put(scope, agentRow("billing"))
      expect(await other.agents.find(scope, "support")).toEqual(row)
      expect(await other.agents.find(scope, row.id)).toEqual(row)
      expect((await store.agents.list(scope, page)).map(({ slug }) => slug)).toEqual(["billing", "support"])
      await expect(store.agents.put(scope, agentRow("support", { id: "agent_2" }))).rejects.toMatchObject({ code: "conflict" })
      const tries = await Promise.allSettled([store, other].map((one) => one.agentVersions.add(scope, versionRow(row.id, "1.0.0"))))
      expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      expect(await store.agentVersions.add(scope, versionRow(row.id, "1.0.1"))).toBe(2)
      const listed = await other.agentVersions.list(scope, row.id, { after: null, limit: 9 })
      expect(listed.map(({ version }) => version)).toEqual(["1.0.1", "1.0.0"])
      expect(await store.agentVersions.list(scope, row.id, { after: 2, limit: 9 })).toHaveLength(1)
      expect(await store.agentVersions.get(scope, row.id, "1.0.1")).toEqual({ ...versionRow(row.id, "1.0.1"), position: 2 })
      expect(await store.agents.remove(scope, row.id)).toBe(true)
      expect(await store.agentVersions.get(scope, row.id, "1.0.0")).toBeNull()
    })
  })

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
