// Tests the life of a tool: draft, versions, what production resolves, and the way back.
import { afterAll, expect, test } from "vitest"
import type { RegistryBinding } from "../core/registry/binding.ts"
import { ConnectionName, IntegrationSlug, ToolName } from "../core/address.ts"
import type { Principal } from "../core/principal.ts"
import { createTool } from "./create.ts"
import { publishTool, rollbackTool, versionTool } from "./publish.ts"
import { diffTool, getTool, listRegistry, listVersions } from "./read.ts"
import { httpTool, openRegistry } from "./testing/parts.ts"
import { removeTool, updateTool } from "./update.ts"

const registry = await openRegistry()
const { parts } = registry
afterAll(() => registry.close())

/** What production runs under this slug. */
async function inProduction(principal: Principal, slug = "weather") {
  const key = {
    integration: IntegrationSlug.make("registry"),
    owner: "org",
    connection: ConnectionName.make("main"),
    tool: ToolName.make(slug),
  } as const
  const row = await parts.store.tools.get(principal, key)
  return row === null ? null : { ...row, binding: JSON.parse(row.binding) as RegistryBinding }
}

const make = async (change = {}) => {
  const admin = await registry.admin()
  const tool = await createTool(admin, httpTool(change), parts)
  return { admin, id: tool.id, tool }
}

test("a draft is in no catalog, and a published tool runs its snapshot while edits wait", async () => {
  const { admin, id, tool } = await make()
  expect(tool).toMatchObject({ slug: "weather", status: "draft", version: "1.0.0", publishedVersion: null, toolType: "custom" })
  expect(await inProduction(admin)).toBeNull()
  const { after } = await publishTool(admin, id, { reason: "First" }, parts)
  expect(after).toMatchObject({ status: "published", version: "1.0.0", publishedVersion: "1.0.0", hasUnpublishedChanges: false })
  expect(await inProduction(admin)).toMatchObject({
    effect: "read",
    title: "Weather",
    binding: { toolId: id, version: "1.0.0", type: "http" },
  })
  const edited = await updateTool(admin, id, { implementationConfig: { method: "POST", url: "https://api.example.com/w/{city}" } }, parts)
  expect(edited.after).toMatchObject({ status: "published", hasUnpublishedChanges: true })
  expect(await inProduction(admin)).toMatchObject({ effect: "read", binding: { implementation: { method: "GET" } } })
  expect((await publishTool(admin, id, {}, parts)).after).toMatchObject({ version: "1.0.1", hasUnpublishedChanges: false })
  expect(await inProduction(admin)).toMatchObject({
    effect: "write",
    requiresApproval: true,
    binding: { implementation: { method: "POST" } },
  })
})

test("publishing what is published writes nothing", async () => {
  const { admin, id } = await make()
  const first = (await publishTool(admin, id, {}, parts)).after
  const revision = parts.store.revision()
  expect((await publishTool(admin, id, {}, parts)).after).toEqual(first)
  expect(parts.store.revision()).toBe(revision)
  expect((await listVersions(admin, id, {}, parts)).items).toHaveLength(1)
})

test("a version is a snapshot that does not run until it is published", async () => {
  const { admin, id } = await make()
  await publishTool(admin, id, {}, parts)
  await updateTool(admin, id, { description: "Better" }, parts)
  expect((await versionTool(admin, id, "2.0.0", parts)).after).toMatchObject({ version: "2.0.0", publishedVersion: "1.0.0" })
  expect(await inProduction(admin)).toMatchObject({ description: "The weather of a city" })
  await expect(versionTool(admin, id, "1.9.9", parts)).rejects.toThrow("not greater than 2.0.0, the current one: write 2.0.1 or more")
  await expect(versionTool(admin, id, "v3", parts)).rejects.toThrow("write three numbers")
  expect((await publishTool(admin, id, {}, parts)).after).toMatchObject({ version: "2.0.0", publishedVersion: "2.0.0" })
  await updateTool(admin, id, { description: "Best" }, parts)
  expect((await publishTool(admin, id, {}, parts)).after?.version).toBe("2.0.1")
  expect((await listVersions(admin, id, {}, parts)).items.map(({ version, isPublished }) => [version, isPublished])).toEqual([
    ["2.0.1", true],
    ["2.0.0", false],
    ["1.0.0", false],
  ])
})

test("a rollback is the earlier snapshot under a new patch version; edits that wait stay", async () => {
  const { admin, id } = await make()
  await publishTool(admin, id, {}, parts)
  await updateTool(admin, id, { description: "Second" }, parts)
  await publishTool(admin, id, {}, parts)
  expect((await rollbackTool(admin, id, "1.0.0", parts)).after).toMatchObject({
    version: "1.0.2",
    description: "The weather of a city",
    hasUnpublishedChanges: false,
  })
  expect(await inProduction(admin)).toMatchObject({ description: "The weather of a city", binding: { version: "1.0.2" } })
  await updateTool(admin, id, { description: "Third" }, parts)
  expect((await rollbackTool(admin, id, "1.0.1", parts)).after).toMatchObject({
    version: "1.0.3",
    description: "Third",
    hasUnpublishedChanges: true,
  })
  expect(await inProduction(admin)).toMatchObject({ description: "Second" })
  await expect(rollbackTool(admin, id, "9.9.9", parts)).rejects.toThrow("has no version '9.9.9'")
})

test("two publishes at once give one version each, or the same one", async () => {
  const { admin, id } = await make()
  const both = await Promise.all([publishTool(admin, id, {}, parts), publishTool(admin, id, {}, parts)])
  expect(both.map(({ after }) => after?.version)).toEqual(["1.0.0", "1.0.0"])
  const edits = ["one", "two", "three", "four"].map(async (description) => {
    await updateTool(admin, id, { description }, parts)
    return (await publishTool(admin, id, {}, parts)).after?.version
  })
  await Promise.all(edits)
  const { items } = await listVersions(admin, id, {}, parts)
  expect(new Set(items.map(({ version }) => version)).size).toBe(items.length)
  expect(items.at(0)?.version).toBe(`1.0.${items.length - 1}`)
})

test("the steps of the lifecycle, and what each does to production", async () => {
  const { admin, id } = await make()
  const step = async (status: string) => (await updateTool(admin, id, { status }, parts)).after?.status
  await expect(step("published")).rejects.toThrow(`POST /tools/${id}/publish`)
  await expect(step("deprecated")).rejects.toThrow("publish it first")
  await expect(step("disabled")).rejects.toThrow(`remove it with DELETE /tools/${id}`)
  await publishTool(admin, id, {}, parts)
  await expect(step("draft")).rejects.toThrow("edits wait in its working copy")
  const next = await createTool(admin, httpTool({ name: "Weather 2" }), parts)
  await expect(updateTool(admin, id, { replacedBy: "weather_2" }, parts)).rejects.toThrow("nobody can call 'weather_2', which is a draft")
  await publishTool(admin, next.id, {}, parts)
  await updateTool(admin, id, { replacedBy: "weather_2" }, parts)
  expect(await step("deprecated")).toBe("deprecated")
  expect(await inProduction(admin)).toMatchObject({
    deprecated: true,
    binding: {
      deprecation: {
        code: "deprecated",
        message: "The tool registry.weather is deprecated; use registry.weather_2 instead",
        replacedBy: "registry.weather_2",
      },
    },
  })
  await updateTool(admin, id, { replacedBy: null }, parts)
  expect((await inProduction(admin))?.binding.deprecation?.message).toContain("look for another one")
  await expect(step("draft")).rejects.toThrow("disabled first")
  await expect(publishTool(admin, id, {}, parts)).rejects.toThrow("deprecated tool is not published again")
  expect(await step("disabled")).toBe("disabled")
  expect(await inProduction(admin)).toBeNull()
  await expect(step("deprecated")).rejects.toThrow("set its status to draft")
  await expect(publishTool(admin, id, {}, parts)).rejects.toThrow(`set its status to draft with PUT /tools/${id} first`)
  expect(await step("draft")).toBe("draft")
  expect((await publishTool(admin, id, {}, parts)).after).toMatchObject({ status: "published", version: "1.0.0" })
  await updateTool(admin, id, { isActive: false }, parts)
  expect(await inProduction(admin)).toBeNull()
  await updateTool(admin, id, { isActive: true }, parts)
  expect(await inProduction(admin)).not.toBeNull()
})

test("a draft is removed, and what was ever published is disabled", async () => {
  const { admin, id } = await make()
  expect((await removeTool(admin, id, parts)).after).toBeNull()
  await expect(getTool(admin, id, parts)).rejects.toThrow("There is no tool")
  const other = await createTool(admin, httpTool(), parts)
  await publishTool(admin, other.id, {}, parts)
  expect((await removeTool(admin, other.id, parts)).after).toMatchObject({ status: "disabled" })
  expect(await inProduction(admin)).toBeNull()
  await updateTool(admin, other.id, { status: "draft" }, parts)
  expect((await removeTool(admin, other.id, parts)).after).toMatchObject({ status: "disabled" })
})

test.each([
  [{ scope: "global" }, "scope must be 'tenant'"],
  [{ status: "published" }, "POST /tools/{id}/publish"],
  [{ slug: "Weather" }, "lower-case letters"],
  [{ slug: "versions" }, "is reserved"],
  [{ name: "天気" }, "none can be made of the name"],
  [{ name: "" }, "name must have 1 to"],
  [{ schema: { input: { type: "array" } } }, 'must be "object"'],
  [{ schema: { input: { properties: { a: { type: "text" } } } } }, "schema.input.properties.a.type"],
  [{ schema: { input: { $ref: "https://example.com" } } }, "must begin with #"],
  [{ executionConfig: { max_concurrency: 0 } }, "max_concurrency must be"],
  [{ artifactId: "art_1" }, "artifactId is for tools of the type 'artifact'"],
  [{ implementationType: "soap" }, "There is no implementation type 'soap'"],
] as const)("%j is refused", async (change, message) => {
  await expect(make(change)).rejects.toThrow(message)
})

test("what PUT cannot set", async () => {
  const { admin, id } = await make()
  await expect(updateTool(admin, id, { isSystem: true }, parts)).rejects.toThrow("isSystem cannot be set")
  await expect(updateTool(admin, id, { builtinKey: "web_search" }, parts)).rejects.toThrow("builtinKey cannot be set")
  await expect(updateTool(admin, id, { replacedBy: "nothing" }, parts)).rejects.toThrow("there is no tool 'nothing'")
  await expect(updateTool(admin, id, { replacedBy: "weather" }, parts)).rejects.toThrow("does not replace itself")
  expect((await updateTool(admin, id, { slug: "forecast" }, parts)).after?.slug).toBe("forecast")
  await publishTool(admin, id, {}, parts)
  await expect(updateTool(admin, id, { slug: "weather" }, parts)).rejects.toThrow("is fixed since it was published")
  await createTool(admin, httpTool(), parts)
  await expect(createTool(admin, httpTool(), parts)).rejects.toThrow("There already is a tool 'weather'")
})

test("a failed publish changes nothing", async () => {
  const { admin, id } = await make({ implementationType: "function", implementationConfig: { function_name: "add_up" } })
  await publishTool(admin, id, {}, parts)
  await updateTool(admin, id, { description: "Next" }, parts)
  const before = await getTool(admin, id, parts)
  const without = { ...parts, functions: { find: () => null, nearest: () => ["sum"] } }
  await expect(publishTool(admin, id, {}, without)).rejects.toThrow("'add_up' is not registered on this server: the nearest are sum")
  expect(await getTool(admin, id, parts)).toEqual(before)
  expect((await listVersions(admin, id, {}, parts)).items).toHaveLength(1)
  expect(await inProduction(admin)).toMatchObject({ description: "The weather of a city" })
})

test("who may do what", async () => {
  const { admin, id } = await make()
  const writer = await registry.colleague(admin, ["registry.write"])
  await updateTool(writer, id, { description: "Theirs" }, parts)
  await expect(publishTool(writer, id, {}, parts)).rejects.toThrow("'registry.publish'")
  await publishTool(admin, id, {}, parts)
  for (const change of [{ status: "deprecated" }, { status: "disabled" }, { isActive: false }])
    await expect(updateTool(writer, id, change, parts)).rejects.toThrow("'registry.publish'")
  await expect(removeTool(writer, id, parts)).rejects.toThrow("'registry.publish'")
  const publisher = await registry.colleague(admin, ["registry.publish"])
  await expect(updateTool(publisher, id, { description: "x" }, parts)).rejects.toThrow("'registry.write'")
  await updateTool(publisher, id, { status: "deprecated" }, parts)
  const member = await registry.colleague(admin, [])
  await updateTool(admin, id, { description: "Waits" }, parts)
  expect(await getTool(member, id, parts)).toMatchObject({ description: "Theirs", hasUnpublishedChanges: false })
  await createTool(admin, httpTool({ name: "Draft" }), parts)
  expect((await listRegistry(member, {}, {}, parts)).items.map(({ slug }) => slug)).toEqual(["weather"])
  expect((await listRegistry(admin, {}, {}, parts)).items.map(({ slug }) => slug)).toEqual(["draft", "weather"])
  await expect(listVersions(member, id, {}, parts)).rejects.toThrow("'registry.write' or 'registry.publish'")
  await expect(createTool({ ...admin, kind: "agent" }, httpTool(), parts)).rejects.toThrow("An agent may not make tools")
  const stranger = await registry.admin()
  for (const work of [getTool(stranger, id, parts), publishTool(stranger, id, {}, parts), updateTool(stranger, id, { name: "x" }, parts)])
    await expect(work).rejects.toMatchObject({ code: "not_found" })
})

test("a diff says what publishing would change", async () => {
  const { admin, id } = await make()
  await expect(diffTool(admin, id, {}, parts)).rejects.toThrow("was never published")
  await publishTool(admin, id, {}, parts)
  expect(await diffTool(admin, id, {}, parts)).toMatchObject({ kind: "none" })
  await updateTool(admin, id, { implementationConfig: { method: "DELETE", url: "https://api.example.com/{city}" } }, parts)
  expect(await diffTool(admin, id, {}, parts)).toMatchObject({ kind: "breaking", effectChanged: true })
  await updateTool(
    admin,
    id,
    { implementationConfig: { method: "GET", url: "https://api.example.com/weather/{city}" }, description: "Other" },
    parts,
  )
  expect(await diffTool(admin, id, { from: "1.0.0", to: "working" }, parts)).toMatchObject({ kind: "text", effectChanged: false })
})

test("the query of a retrieval tool is there and required", async () => {
  const { tool } = await make({
    implementationType: "rag_retrieval",
    implementationConfig: { pipeline_id: "pipe_1" },
    schema: { input: {} },
  })
  expect(tool.schema.input).toMatchObject({ type: "object", properties: { query: { type: "string" } }, required: ["query"] })
})

test("an integration that had the slug before it was reserved is left alone", async () => {
  const { admin, id } = await make()
  const { integrations } = parts.store
  const row = {
    slug: IntegrationSlug.make("registry"),
    kind: "openapi",
    name: "",
    description: "",
    config: "{}",
    configRevisedAt: "2026",
  } as const
  await integrations.put(admin, { ...row, documentHash: null, toolSetId: null, toolSetSyncedAt: null, facts: "{}", createdAt: "2026" })
  await expect(publishTool(admin, id, {}, parts)).rejects.toThrow("DELETE /integrations/registry")
  expect(await getTool(admin, id, parts)).toMatchObject({ status: "draft", publishedVersion: null })
  await integrations.remove(admin, "registry")
  await publishTool(admin, id, {}, parts)
})

test("code stays its writer's own, whoever publishes it, rolls it back or describes it otherwise", async () => {
  const custom = { implementationType: "custom", implementationConfig: { code: "return 1" } }
  const { admin, id, tool } = await make(custom)
  const anna = { ...admin, user: "anna" }
  const writerOf = async (): Promise<string | undefined> => (await inProduction(admin, tool.slug))?.binding.writtenBy
  await publishTool(anna, id, {}, parts)
  expect(await writerOf()).toBe(admin.user)
  await updateTool(anna, id, { description: "Other words", implementationConfig: custom.implementationConfig }, parts)
  await publishTool(anna, id, {}, parts)
  expect(await writerOf()).toBe(admin.user)
  await updateTool(anna, id, { implementationConfig: { code: "return 2" } }, parts)
  await publishTool(admin, id, {}, parts)
  expect(await writerOf()).toBe("anna")
  await rollbackTool(anna, id, "1.0.0", parts)
  expect(await writerOf()).toBe(admin.user)
})
