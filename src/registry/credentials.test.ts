// Tests that values of a tenant's credentials go in, never come out, and stay with their endpoint.
import { afterAll, expect, test } from "vitest"
import { createCredential, listCredentials, removeCredential, updateCredential } from "./credentials.ts"
import { createTenantCredentials } from "./tenant-credentials.ts"
import { openRegistry } from "./testing/parts.ts"

const registry = await openRegistry()
const { parts } = registry
afterAll(() => registry.close())
const opener = createTenantCredentials(parts)

const serper = {
  category: "custom",
  providerKey: "web_search",
  providerVariant: "serper",
  label: "Serper",
  values: { api_key: "planted-key" },
}

test("values are in the vault alone", async () => {
  const admin = await registry.admin()
  const made = await createCredential(admin, serper, parts)
  expect(made).toMatchObject({ values: { api_key: "***" }, endpoint: null })
  const rows = await parts.store.tenantCredentials.list(admin, { after: null, limit: 9 })
  expect(JSON.stringify([rows, await listCredentials(admin, {}, parts)])).not.toContain("planted")
  expect(await opener.open(admin, made.id)).toEqual({ values: { api_key: "planted-key" }, endpoint: null })
  expect(await opener.find(admin, serper)).toMatchObject({ values: { api_key: "planted-key" } })
  expect(await opener.open(await registry.admin(), made.id)).toBeNull()
  await removeCredential(admin, made.id, parts)
  expect(await opener.open(admin, made.id)).toBeNull()
})

test("an endpoint is shown, and a value does not follow it elsewhere", async () => {
  const admin = await registry.admin()
  const { id } = await createCredential(admin, { ...serper, values: { api_key: "k", endpoint: "https://search.example.com" } }, parts)
  const masked = { api_key: "***" }
  expect((await updateCredential(admin, id, { values: masked, label: "Other" }, parts)).after).toMatchObject({
    label: "Other",
    endpoint: "https://search.example.com/",
  })
  await expect(updateCredential(admin, id, { values: { ...masked, endpoint: "https://evil.example.com" } }, parts)).rejects.toThrow(
    "send api_key again",
  )
  await expect(updateCredential(admin, id, { values: { ...masked, endpoint: "" } }, parts)).rejects.toThrow("send api_key again")
  await updateCredential(admin, id, { values: { api_key: "k2", endpoint: "" } }, parts)
  expect(await opener.open(admin, id)).toEqual({ values: { api_key: "k2" }, endpoint: null })
})

test.each([
  [{ values: {} }, "values must have 1 to"],
  [{ values: { endpoint: "https://example.com" } }, "values must have 1 to"],
  [{ values: { api_key: "***" } }, "does not stand for a stored value"],
  [{ values: { api_key: "" } }, "values.api_key must have 1 to"],
  [{ values: { "a b": "x" } }, "is not a name such as api_key"],
  [{ values: { api_key: "x", endpoint: "https://u:p@example.com" } }, "values.endpoint must be an address"],
  [{ providerKey: "Web Search" }, "providerKey must be a name"],
  [{ label: " " }, "name must have"],
])("%j is refused", async (change, message) => {
  await expect(createCredential(await registry.admin(), { ...serper, ...change }, parts)).rejects.toThrow(message)
})

test("only an admin of the tenant", async () => {
  const admin = await registry.admin()
  const { id } = await createCredential(admin, serper, parts)
  const writer = await registry.colleague(admin, ["registry.write", "registry.publish"])
  for (const work of [listCredentials(writer, {}, parts), createCredential(writer, serper, parts), removeCredential(writer, id, parts)])
    await expect(work).rejects.toMatchObject({ code: "forbidden" })
  await expect(updateCredential(await registry.admin(), id, { label: "x" }, parts)).rejects.toMatchObject({ code: "not_found" })
})
