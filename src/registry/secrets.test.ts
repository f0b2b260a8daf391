// Tests that secrets leave a config before it is stored, come back only as a mask, and stay with their address.
import { afterAll, expect, test } from "vitest"
import type { Principal } from "../core/principal.ts"
import { secretValueName } from "../core/registry/binding.ts"
import { createTool } from "./create.ts"
import { exportRegistry } from "./transfer/export.ts"
import { publishTool, rollbackTool } from "./publish.ts"
import { diffTool, getTool, listVersions } from "./read.ts"
import { referencesIn } from "./secrets.ts"
import { isSensitiveKey } from "./sensitive-key.ts"
import { httpTool, openRegistry, operator } from "./testing/parts.ts"
import { removeTool, updateTool } from "./update.ts"

const registry = await openRegistry()
const { parts } = registry
afterAll(() => registry.close())

const planted = "planted-key-1234567890"
const config = (change: object = {}) => ({
  method: "POST",
  url: "https://api.example.com/{city}",
  headers: { "X-Trace": planted },
  query: { api_key: planted, page: 1 },
  body: { auth: { access_token: planted }, list: [{ clientSecret: planted }], max_tokens: 5 },
  ...change,
})
const make = async (change: object = {}) => {
  const admin = await registry.admin()
  const { id } = await createTool(admin, httpTool({ implementationConfig: config(change) }), parts)
  return { admin, id }
}
async function stored(principal: Principal, id: string) {
  const row = await parts.store.registryTools.get(principal, id)
  return JSON.parse(row?.configSchema ?? "") as { implementation: Record<string, unknown> }
}
const opened = async (principal: Principal, id: string) => {
  const refs = referencesIn((await stored(principal, id)).implementation)
  const values = [...refs].map(
    async ([path, ref]) => [path, (await parts.vaultOn(parts.store).open(principal, ref))?.[secretValueName]] as const,
  )
  return Object.fromEntries(await Promise.all(values))
}

test.each([
  "api_key",
  "API-KEY",
  "apiKey",
  "x-api-key",
  "token",
  "access_token",
  "client_secret",
  "Password",
  "authorization",
  "privateKey",
])("%s is secret", (key) => {
  expect(isSensitiveKey(key)).toBe(true)
})
test.each(["max_tokens", "tokens", "author", "keyword", "pass", "function_name", "credentials_ref"])("%s is not", (key) => {
  expect(isSensitiveKey(key)).toBe(false)
})

test("no row, version, diff, view or export has the value, and the vault has it", async () => {
  const { admin, id } = await make()
  await publishTool(admin, id, {}, parts)
  await updateTool(admin, id, { implementationConfig: config({ headers: { "X-Trace": "planted-other-value" } }) }, parts)
  const seen = [
    await parts.store.registryTools.get(admin, id),
    await parts.store.toolVersions.list(admin, id, { after: null, limit: 9 }),
    await getTool(admin, id, parts),
    await listVersions(admin, id, {}, parts),
    await diffTool(admin, id, {}, parts),
    await exportRegistry(admin, parts),
  ]
  for (const one of seen) expect(JSON.stringify(one)).not.toContain("planted")
  expect((await getTool(admin, id, parts)).configSchema.implementation).toMatchObject({
    headers: { "X-Trace": "***" },
    query: { api_key: "***", page: 1 },
    body: { auth: { access_token: "***" }, list: [{ clientSecret: "***" }], max_tokens: 5 },
  })
  expect((await diffTool(admin, id, {}, parts)).json).toMatchObject([
    { path: "/implementation/config/headers/X-Trace", before: "***", after: "***" },
  ])
  expect(await opened(admin, id)).toMatchObject({ "headers.X-Trace": "planted-other-value", "query.api_key": planted })
})

test("sending *** keeps a secret, and the same value is no change", async () => {
  const { admin, id } = await make()
  await publishTool(admin, id, {}, parts)
  const shown = (await getTool(admin, id, parts)).configSchema.implementation
  expect((await updateTool(admin, id, { implementationConfig: shown }, parts)).after?.hasUnpublishedChanges).toBe(false)
  expect((await updateTool(admin, id, { implementationConfig: config() }, parts)).after?.hasUnpublishedChanges).toBe(false)
  await updateTool(admin, id, { implementationConfig: { ...shown, url: "https://api.example.com/v2/{city}" } }, parts)
  expect((await opened(admin, id))["headers.X-Trace"]).toBe(planted)
  await expect(updateTool(admin, id, { implementationConfig: { ...shown, headers: { other: "***" } } }, parts)).rejects.toThrow(
    "headers.other: *** does not stand for a stored value here",
  )
})

test.each([
  "http://api.example.com/{city}",
  "https://api.example.com:8443/{city}",
  "https://evil.example.com/{city}",
  "https://api.example.com.evil.example/{city}",
])("a secret does not move to %s", async (url) => {
  const { admin, id } = await make()
  const shown = (await getTool(admin, id, parts)).configSchema.implementation
  await expect(updateTool(admin, id, { implementationConfig: { ...shown, url } }, parts)).rejects.toThrow(
    /a secret goes only where it was meant to: send headers\.X-Trace, query\.api_key, body\.auth\.access_token, body\.list\.0\.clientSecret again/,
  )
  await updateTool(admin, id, { implementationConfig: config({ url }) }, parts)
})

test("a type does not take the secrets of another one along", async () => {
  const { admin, id } = await make()
  const change = {
    implementationType: "mcp",
    implementationConfig: { server_url: "https://evil.example.com", tool_name: "x", headers: { "X-Trace": "***" } },
  }
  await expect(updateTool(admin, id, change, parts)).rejects.toThrow("send headers.X-Trace again")
})

test("nobody writes a reference themselves", async () => {
  const { admin, id } = await make()
  const ref = [...referencesIn((await stored(admin, id)).implementation).values()][0]
  const theft = httpTool({
    name: "Theft",
    implementationConfig: { method: "POST", url: "https://evil.example.com", body: { x: { $secret: ref } } },
  })
  await expect(createTool(admin, theft, parts)).rejects.toThrow("may not have a field '$secret'")
})

test("an old version keeps its own secret, and a removed draft leaves none", async () => {
  const { admin, id } = await make()
  await publishTool(admin, id, {}, parts)
  await updateTool(admin, id, { implementationConfig: config({ headers: { "X-Trace": "the second" } }) }, parts)
  await publishTool(admin, id, {}, parts)
  await rollbackTool(admin, id, "1.0.0", parts)
  expect((await opened(admin, id))["headers.X-Trace"]).toBe(planted)
  const draft = await createTool(admin, httpTool({ name: "Draft", implementationConfig: config() }), parts)
  const refs = [...referencesIn((await stored(admin, draft.id)).implementation).values()]
  await removeTool(admin, draft.id, parts)
  for (const ref of refs) expect(await parts.vaultOn(parts.store).open(admin, ref)).toBeNull()
})

test("private hosts and the environment are for admins", async () => {
  const admin = await registry.admin()
  const writer = await registry.colleague(admin, ["registry.write"])
  const local = httpTool({ name: "Local", implementationConfig: { method: "GET", url: "http://127.0.0.1:9/" } })
  await expect(createTool(writer, local, parts)).rejects.toThrow("The private host '127.0.0.1:9' can only be written by an admin")
  const { id } = await createTool(admin, local, parts)
  expect((await parts.store.registryTools.get(admin, id))?.literalUrls).toBe('["http://127.0.0.1:9"]')
  await updateTool(writer, id, { implementationConfig: { method: "GET", url: "http://127.0.0.1:9/other" } }, parts)
  await expect(updateTool(writer, id, { implementationConfig: { method: "GET", url: "http://127.0.0.1:10/" } }, parts)).rejects.toThrow(
    "private host",
  )
  const env = httpTool({
    name: "Env",
    implementationConfig: { method: "GET", url: "https://example.com", headers: { authorization: "Bearer ${env:KEY}" } },
  })
  await expect(createTool(writer, env, parts)).rejects.toThrow("${env:…}")
  await expect(createTool(admin, env, parts)).rejects.toThrow("by those who run the server")
  await parts.store.tenants.ensure({ tenant: operator.tenant, id: operator.user, name: "local", roles: ["admin"] })
  await createTool(operator, env, parts)
})
