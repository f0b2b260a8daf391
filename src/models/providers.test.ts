// Tests who may configure model providers, that their keys never come out, and that they stay with their address.
import { afterAll, describe, expect, test } from "vitest"
import type { ModelProviderCreate } from "../core/agents/model-provider.ts"
import type { Principal } from "../core/principal.ts"
import { openRegistry, operator } from "../registry/testing/parts.ts"
import type { ModelEndpoint } from "./model.ts"
import { createModels } from "./open.ts"
import { createModelProvider, listModelProviders, removeModelProvider, testModelProvider, updateModelProvider } from "./providers.ts"

const registry = await openRegistry({ modelProvidersMax: 3 })
const { parts } = registry
afterAll(() => registry.close())

/** Records how providers are opened; what they answer is not asked here. */
const opened: ModelEndpoint[] = []
const refused = { ok: false, kind: "unreachable", message: "nobody is there" } as const
const models = createModels({
  ...parts,
  limits: { ...parts.limits, modelAttemptsMax: 1 },
  driver: (endpoint) => {
    opened.push(endpoint)
    return { ask: async () => refused, embed: async () => refused }
  },
})

const openai: ModelProviderCreate = { id: "openai", kind: "openai", apiKey: "planted-key", models: ["gpt-5", "gpt-5"] }
const endpointOf = async (principal: Principal, id: string): Promise<ModelEndpoint | undefined> => {
  await models.open(principal, id)
  return opened.at(-1)
}

test("a key is in the vault alone, and goes to the provider's own address", async () => {
  const admin = await registry.admin()
  const made = await createModelProvider(admin, openai, parts)
  expect(made).toMatchObject({ id: "openai", baseUrl: "https://api.openai.com/v1", apiKey: "***", models: ["gpt-5"] })
  const rows = await parts.store.modelProviders.list(admin, { after: null, limit: 9 })
  expect(JSON.stringify([rows, await listModelProviders(admin, {}, parts)])).not.toContain("planted")
  expect(await endpointOf(admin, "openai")).toEqual({ kind: "openai", baseUrl: "https://api.openai.com/v1", apiKey: "planted-key" })
  expect(await models.open(await registry.admin(), "openai")).toBeNull()
  await removeModelProvider(admin, "openai", parts)
  expect(await models.open(admin, "openai")).toBeNull()
  expect(await parts.vaultOn(parts.store).open(admin, "model-provider:openai")).toBeNull()
})

test("a key does not follow another origin", async () => {
  const admin = await registry.admin()
  await createModelProvider(admin, openai, parts)
  for (const apiKey of [undefined, "***"])
    await expect(
      updateModelProvider(admin, "openai", { baseUrl: "https://evil.example.com/v1", ...(apiKey === undefined ? {} : { apiKey }) }, parts),
    ).rejects.toThrow("send apiKey again")
  await updateModelProvider(admin, "openai", { baseUrl: "https://api.openai.com/v2/" }, parts)
  expect(await endpointOf(admin, "openai")).toMatchObject({ baseUrl: "https://api.openai.com/v2", apiKey: "planted-key" })
  await updateModelProvider(admin, "openai", { baseUrl: "https://proxy.example.com", apiKey: "other" }, parts)
  expect(await endpointOf(admin, "openai")).toMatchObject({ baseUrl: "https://proxy.example.com", apiKey: "other" })
  expect((await updateModelProvider(admin, "openai", { apiKey: null, models: [] }, parts)).after).toMatchObject({
    apiKey: null,
    models: [],
  })
  expect(await endpointOf(admin, "openai")).toMatchObject({ apiKey: null })
  await expect(updateModelProvider(admin, "openai", { apiKey: "***" }, parts)).rejects.toThrow("does not stand for a stored key")
})

test("${env:NAME} is for those who run the server, and read at the moment of the question", async () => {
  await expect(createModelProvider(await registry.admin(), { ...openai, apiKey: "${env:KEY}" }, parts)).rejects.toMatchObject({
    code: "forbidden",
  })
  await parts.store.tenants.ensure({ tenant: operator.tenant, id: operator.user, name: "Local", roles: ["admin"] })
  await createModelProvider(operator, { ...openai, id: "env", apiKey: "${env:KEY}" }, parts)
  expect(await endpointOf(operator, "env")).toMatchObject({ apiKey: "from the environment" })
})

test("what was opened is used again until its provider changes", async () => {
  const admin = await registry.admin()
  await createModelProvider(admin, openai, parts)
  const first = await models.open(admin, "openai")
  const count = opened.length
  expect(await models.open(admin, "openai")).toBe(first)
  expect(opened).toHaveLength(count)
  await updateModelProvider(admin, "openai", { apiKey: "rotated" }, parts)
  expect(await models.open(admin, "openai")).not.toBe(first)
  expect(opened.at(-1)).toMatchObject({ apiKey: "rotated" })
})

describe("rights", () => {
  test("whoever makes agents sees providers, and only admins change or try them", async () => {
    const admin = await registry.admin()
    await createModelProvider(admin, openai, parts)
    const maker = await registry.colleague(admin, ["registry.write"])
    expect((await listModelProviders(maker, {}, parts)).items).toHaveLength(1)
    const agent: Principal = { ...admin, kind: "agent", rights: [] }
    for (const who of [maker, agent]) {
      await expect(createModelProvider(who, { ...openai, id: "two" }, parts)).rejects.toMatchObject({ code: "forbidden" })
      await expect(updateModelProvider(who, "openai", { models: [] }, parts)).rejects.toMatchObject({ code: "forbidden" })
      await expect(removeModelProvider(who, "openai", parts)).rejects.toMatchObject({ code: "forbidden" })
      await expect(testModelProvider(who, "openai", {}, { ...parts, models })).rejects.toMatchObject({ code: "forbidden" })
    }
    await expect(listModelProviders(agent, {}, parts)).rejects.toMatchObject({ code: "forbidden" })
  })
})

test("a test says what went wrong", async () => {
  const admin = await registry.admin()
  await createModelProvider(admin, { ...openai, models: [] }, parts)
  const tried = (model?: string) => testModelProvider(admin, "openai", model === undefined ? {} : { model }, { ...parts, models })
  await expect(tried()).rejects.toThrow("Name a model to try")
  expect(await tried("gpt-5")).toMatchObject({ ok: false, model: "gpt-5", kind: "unreachable" })
})

test.each<[Partial<ModelProviderCreate>, string]>([
  [{ id: "Open AI" }, "id must be a name such as openai"],
  [{ kind: "openai_compatible" }, "baseUrl is required"],
  [{ baseUrl: "ftp://example.com" }, "baseUrl must be an address"],
  [{ baseUrl: "https://u:p@example.com" }, "baseUrl must be an address"],
  [{ baseUrl: "https://example.com/?key=1" }, "baseUrl must be an address"],
  [{ apiKey: "" }, "apiKey must have 1 to"],
  [{ apiKey: "***" }, "does not stand for a stored key"],
  [{ models: [" "] }, "models must be names"],
])("%j is refused", async (change, message) => {
  await expect(createModelProvider(await registry.admin(), { ...openai, ...change }, parts)).rejects.toThrow(message)
})

test("an id is taken once, and there is a limit", async () => {
  const admin = await registry.admin()
  await createModelProvider(admin, openai, parts)
  await expect(createModelProvider(admin, openai, parts)).rejects.toMatchObject({ code: "conflict" })
  for (const id of ["two", "three"]) await createModelProvider(admin, { ...openai, id }, parts)
  await expect(createModelProvider(admin, { ...openai, id: "four" }, parts)).rejects.toThrow("at most 3 model providers")
})
