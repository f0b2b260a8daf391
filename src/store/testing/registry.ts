// Conformance of the registry: tools, versions, artifacts, the tenant's credentials, and sets derived from others.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import type { ArtifactRow, RegistryToolRow, TenantCredentialRow, ToolVersionRow } from "../registry-store.ts"
import type { Store } from "../store.ts"
import { at } from "./people/oauth-samples.ts"
import { connect, connectionRow, ensureUser, newScope, toolKey, toolSet, toolWrite } from "./samples.ts"
import type { StoreUnderTest } from "./suite.ts"

export const registryToolRow = (slug: string, fields: Partial<RegistryToolRow> = {}): RegistryToolRow => ({
  id: `tool_${slug}`,
  slug,
  name: `Name of ${slug}`,
  description: "Adds an invoice up",
  schema: '{"input":{"type":"object"}}',
  configSchema: '{"implementation":{},"execution":{}}',
  status: "draft",
  version: "1.0.0",
  implementationType: "http",
  publishedAt: null,
  publishedVersion: null,
  artifactId: null,
  artifactVersion: null,
  builtinKey: null,
  isActive: true,
  isSystem: false,
  replacedBy: null,
  literalUrls: "[]",
  contentHash: "hash-1.0.0",
  publishedHash: null,
  writtenBy: "bob",
  createdBy: "alice",
  createdAt: at(0),
  updatedAt: at(0),
  builtinTemplateId: null,
  isBuiltinTemplate: false,
  ...fields,
})

const versionRow = (toolId: string, version: string, fields: Partial<ToolVersionRow> = {}): Omit<ToolVersionRow, "position"> => ({
  toolId,
  version,
  snapshot: `{"version":"${version}"}`,
  hash: `hash-${version}`,
  by: "alice",
  at: at(1),
  reason: null,
  ...fields,
})

const artifactRow = (fields: Partial<ArtifactRow> = {}): ArtifactRow => ({
  id: "art_1",
  slug: "sum",
  name: "Sum",
  version: "1",
  inputs: "[]",
  code: "return 1",
  madeBy: "alice",
  madeAt: at(0),
  createdAt: at(0),
  ...fields,
})

const credentialRow = (fields: Partial<TenantCredentialRow> = {}): TenantCredentialRow => ({
  id: "cred_1",
  category: "custom",
  providerKey: "web_search",
  providerVariant: "serper",
  label: "Serper",
  valueNames: '["api_key"]',
  endpoint: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
})

type Attempt = { readonly try: (store: Store, stranger: Scope) => Promise<unknown>; readonly nothing: unknown }

const page = { after: null, limit: 100 }

/** One for each verb, as the suite of scopes wants them. */
export const registryAttempts: Record<string, Attempt> = {
  "registryTools.get": { try: (store, stranger) => store.registryTools.get(stranger, "tool_total"), nothing: null },
  "registryTools.findBySlug": { try: (store, stranger) => store.registryTools.findBySlug(stranger, "total"), nothing: null },
  "registryTools.list": { try: (store, stranger) => store.registryTools.list(stranger, {}, page), nothing: [] },
  "registryTools.counts": { try: (store, stranger) => store.registryTools.counts(stranger), nothing: [] },
  "registryTools.put": {
    try: (store, stranger) => store.registryTools.put(stranger, registryToolRow("total", { name: "M" })),
    nothing: undefined,
  },
  "registryTools.remove": { try: (store, stranger) => store.registryTools.remove(stranger, "tool_total"), nothing: false },
  "toolVersions.get": { try: (store, stranger) => store.toolVersions.get(stranger, "tool_total", "1.0.0"), nothing: null },
  "toolVersions.published": { try: (store, stranger) => store.toolVersions.published(stranger, ["tool_total"]), nothing: [] },
  "toolVersions.list": {
    try: (store, stranger) => store.toolVersions.list(stranger, "tool_total", { after: null, limit: 9 }),
    nothing: [],
  },
  "toolVersions.add": { try: (store, stranger) => store.toolVersions.add(stranger, versionRow("tool_total", "2.0.0")), nothing: "refused" },
  "artifacts.get": { try: (store, stranger) => store.artifacts.get(stranger, "art_1"), nothing: null },
  "artifacts.findBySlug": { try: (store, stranger) => store.artifacts.findBySlug(stranger, "sum"), nothing: null },
  "artifacts.list": { try: (store, stranger) => store.artifacts.list(stranger, page), nothing: [] },
  "artifacts.versions": { try: (store, stranger) => store.artifacts.versions(stranger, "art_1", page), nothing: [] },
  "artifacts.users": { try: (store, stranger) => store.artifacts.users(stranger, "art_1"), nothing: [] },
  "artifacts.remove": { try: (store, stranger) => store.artifacts.remove(stranger, "art_1"), nothing: false },
  "artifacts.put": {
    try: (store, stranger) => store.artifacts.put(stranger, artifactRow({ version: "2", code: "M" })),
    nothing: "refused",
  },
  "tenantCredentials.get": { try: (store, stranger) => store.tenantCredentials.get(stranger, "cred_1"), nothing: null },
  "tenantCredentials.find": { try: (store, stranger) => store.tenantCredentials.find(stranger, credentialRow()), nothing: null },
  "tenantCredentials.list": { try: (store, stranger) => store.tenantCredentials.list(stranger, page), nothing: [] },
  "tenantCredentials.put": {
    try: (store, stranger) => store.tenantCredentials.put(stranger, credentialRow({ label: "M" })),
    nothing: undefined,
  },
  "tenantCredentials.remove": { try: (store, stranger) => store.tenantCredentials.remove(stranger, "cred_1"), nothing: false },
  "toolConsents.has": { try: (store, stranger) => store.toolConsents.has(stranger, "tool_total", "1.0.0"), nothing: false },
  "toolConsents.put": { try: (store, stranger) => store.toolConsents.put(stranger, "tool_total", "2.0.0", at(0)), nothing: undefined },
}

/** What a victim has of it. */
export async function addRegistry(scope: Scope, store: Store): Promise<void> {
  await store.registryTools.put(scope, registryToolRow("total", { publishedVersion: "1.0.0" }))
  await store.toolVersions.add(scope, versionRow("tool_total", "1.0.0"))
  await store.artifacts.put(scope, artifactRow())
  await store.tenantCredentials.put(scope, credentialRow())
  await store.toolConsents.put(scope, "tool_total", "1.0.0", at(0))
}

export const registryInventory = async (scope: Scope, store: Store): Promise<unknown> => [
  await store.registryTools.list(scope, {}, page),
  await store.toolVersions.list(scope, "tool_total", { after: null, limit: 9 }),
  await store.artifacts.versions(scope, "art_1", page),
  await store.tenantCredentials.list(scope, page),
  await store.toolConsents.has(scope, "tool_total", "1.0.0"),
  await store.toolConsents.has(scope, "tool_total", "2.0.0"),
]

export function testRegistry(use: () => StoreUnderTest): void {
  describe("the registry", () => {
    const setUp = async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      return { store, other, scope }
    }

    it("keeps tools, finds them by id and slug, and tells caches", async () => {
      const { store, other, scope } = await setUp()
      const before = store.revision()
      const row = registryToolRow("total", { isActive: false, replacedBy: "sum", publishedAt: at(1), publishedVersion: "1.0.0" })
      await store.registryTools.put(scope, row)
      expect(store.revision()).not.toBe(before)
      expect(await other.registryTools.get(scope, row.id)).toEqual(row)
      expect(await other.registryTools.findBySlug(scope, "total")).toEqual(row)
      await store.registryTools.put(scope, { ...row, name: "Other" })
      expect(await store.registryTools.get(scope, row.id)).toMatchObject({ name: "Other" })
    })

    it("refuses a slug that another tool has", async () => {
      const { store, scope } = await setUp()
      await store.registryTools.put(scope, registryToolRow("total"))
      await expect(store.registryTools.put(scope, registryToolRow("total", { id: "tool_2" }))).rejects.toMatchObject({ code: "conflict" })
    })

    it("lists by slug, filtered, in pages, without clones of built-ins", async () => {
      const { store, scope } = await setUp()
      await store.registryTools.put(scope, registryToolRow("c", { status: "published", description: "50% ÄPFEL" }))
      await store.registryTools.put(scope, registryToolRow("a", { implementationType: "custom" }))
      await store.registryTools.put(scope, registryToolRow("b"))
      await store.registryTools.put(scope, registryToolRow("clone", { builtinKey: "web_search" }))
      const slugs = async (filter: Parameters<Store["registryTools"]["list"]>[1], after: string | null = null, limit = 10) =>
        (await store.registryTools.list(scope, filter, { after, limit })).map(({ slug }) => slug)
      expect(await slugs({})).toEqual(["a", "b", "c"])
      expect(await slugs({}, "a", 1)).toEqual(["b"])
      expect(await slugs({ status: "published" })).toEqual(["c"])
      expect(await slugs({ implementationType: "custom" })).toEqual(["a"])
      expect(await slugs({ query: "50% äpfel" })).toEqual(["c"])
      expect(await slugs({ slugs: ["c", "a", "clone"] })).toEqual(["a", "c"])
      const counts = await store.registryTools.counts(scope)
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(3)
      expect(counts).toContainEqual(expect.objectContaining({ status: "published", implementationType: "http", count: 1 }))
    })

    it("writes each version once, in order, and removes them with their tool", async () => {
      const { store, other, scope } = await setUp()
      await store.registryTools.put(scope, registryToolRow("total"))
      const tries = await Promise.allSettled([store, other].map((one) => one.toolVersions.add(scope, versionRow("tool_total", "1.0.0"))))
      expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      expect(await store.toolVersions.add(scope, versionRow("tool_total", "1.0.1"))).toBe(2)
      expect(await store.toolVersions.get(scope, "tool_total", "1.0.1")).toEqual({ ...versionRow("tool_total", "1.0.1"), position: 2 })
      const listed = await store.toolVersions.list(scope, "tool_total", { after: null, limit: 9 })
      expect(listed.map(({ version }) => version)).toEqual(["1.0.1", "1.0.0"])
      expect(await store.toolVersions.list(scope, "tool_total", { after: 2, limit: 9 })).toHaveLength(1)
      await store.registryTools.put(scope, registryToolRow("total", { publishedVersion: "1.0.0" }))
      await store.registryTools.put(scope, registryToolRow("draft"))
      const running = await store.toolVersions.published(scope, ["tool_total", "tool_draft", "tool_none"])
      expect(running.map(({ toolId, version }) => [toolId, version])).toEqual([["tool_total", "1.0.0"]])
      expect(await store.toolVersions.published(scope, [])).toEqual([])
      expect(await store.registryTools.remove(scope, "tool_total")).toBe(true)
      expect(await store.toolVersions.get(scope, "tool_total", "1.0.0")).toBeNull()
    })

    it("keeps every version of an artifact, and lets one of two changes through", async () => {
      const { store, other, scope } = await setUp()
      await store.artifacts.put(scope, artifactRow())
      const next = artifactRow({ version: "2", code: "return 2", name: "Second" })
      const tries = await Promise.allSettled([store, other].map((one) => one.artifacts.put(scope, next)))
      expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      expect(await store.artifacts.get(scope, "art_1")).toEqual(next)
      expect(await store.artifacts.get(scope, "art_1", "1")).toMatchObject({ code: "return 1", version: "1" })
      expect(await store.artifacts.get(scope, "art_1", "x")).toBeNull()
      expect(await store.artifacts.findBySlug(scope, "sum")).toEqual(next)
      expect((await store.artifacts.versions(scope, "art_1", page)).map(({ version }) => version)).toEqual(["2", "1"])
      expect(await store.artifacts.versions(scope, "art_1", { after: "2", limit: 9 })).toHaveLength(1)
      await expect(store.artifacts.put(scope, artifactRow({ id: "art_2" }))).rejects.toMatchObject({ code: "conflict" })
    })

    it("names the tools that an artifact is in, and removes it with its versions", async () => {
      const { store, scope } = await setUp()
      await store.artifacts.put(scope, artifactRow())
      await store.registryTools.put(scope, registryToolRow("edited", { artifactId: "art_1" }))
      await store.registryTools.put(scope, registryToolRow("running", { publishedVersion: "1.0.0" }))
      await store.registryTools.put(scope, registryToolRow("stranger"))
      const version = versionRow(registryToolRow("running").id, "1.0.0", { snapshot: '{"artifactId":"art_1"}' })
      await store.toolVersions.add(scope, version)
      expect(await store.artifacts.users(scope, "art_1")).toEqual(["edited", "running"])
      expect([await store.artifacts.remove(scope, "art_1"), await store.artifacts.remove(scope, "art_1")]).toEqual([true, false])
      expect([await store.artifacts.get(scope, "art_1", "1"), await store.artifacts.versions(scope, "art_1", page)]).toEqual([null, []])
    })

    it("finds a credential by its kind, the oldest first", async () => {
      const { store, scope } = await setUp()
      const [first, second] = [credentialRow(), credentialRow({ id: "cred_0", createdAt: at(5) })]
      for (const row of [second, first]) await store.tenantCredentials.put(scope, row)
      expect(await store.tenantCredentials.find(scope, first)).toEqual(first)
      expect(await store.tenantCredentials.find(scope, { ...first, providerVariant: null })).toEqual(first)
      expect(await store.tenantCredentials.find(scope, { ...first, providerVariant: "other" })).toBeNull()
      expect(await store.tenantCredentials.remove(scope, first.id)).toBe(true)
      expect(await store.tenantCredentials.find(scope, first)).toEqual(second)
    })

    it("derives a set from another: replaced, dropped and added tools, the rest copied", async () => {
      const { store, scope } = await setUp()
      await connect(store, scope, "registry", "org", toolSet("old", ["a", "b", "c"], {}))
      await store.toolSets.derive(scope, {
        id: "new",
        from: "old",
        put: [toolWrite("b", { title: "Changed" }), toolWrite("d")],
        drop: ["c"],
      })
      await store.connections.put(scope, connectionRow("registry", "org", "main", { toolSetId: "new" }))
      expect(await store.toolSets.names(scope, "new")).toEqual(["a", "b", "d"])
      expect(await store.toolSets.names(scope, "old")).toEqual(["a", "b", "c"])
      expect(await store.tools.count(scope, {})).toBe(3)
      expect(await store.tools.get(scope, toolKey("registry", "org", "main", "b"))).toMatchObject({ title: "Changed" })
      expect(await store.tools.get(scope, toolKey("registry", "org", "main", "a"))).toMatchObject({ title: toolWrite("a").title })
      const id = newId("set")
      await store.toolSets.derive(scope, { id, from: null, put: [toolWrite("x")], drop: [] })
      expect(await store.toolSets.names(scope, id)).toEqual(["x"])
    })
  })
}
