// Integrations of older versions under slugs that Executor now owns: the next start renames them, and everything still works.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { IntegrationSlug } from "../../src/core/address.ts"
import type { Principal } from "../../src/core/principal.ts"
import { localHuman } from "../../src/core/principal.ts"
import { keyFromText } from "../../src/credentials/encrypted/secret-key.ts"
import { createEncryptedVault } from "../../src/credentials/encrypted/vault.ts"
import type { Log } from "../../src/io/log.ts"
import { silentLog } from "../../src/io/log.ts"
import { readSettings } from "../../src/local/settings.ts"
import { openProduct } from "../../src/preset/product.ts"
import type { Product } from "../../src/preset/product.ts"
import { connectionSecretRef, integrationSecretRef } from "../../src/store/store.ts"
import { clientRow, flowRow, grantRow } from "../../src/store/testing/people/oauth-samples.ts"
import { connectionRef, policyRow, roleRow, tokenRow } from "../../src/store/testing/samples.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { sharedPostgres } from "../servers/postgres.ts"

const secretKey = "one key for all of the nodes"
const later = "2099-01-01T00:00:00.000Z"
const bob: Principal = { ...localHuman, user: "bob" }
const stranger: Principal = { ...localHuman, tenant: "other", user: "stranger" }

let echo: Echo
let dataDir: string
let env: Record<string, string>
beforeAll(async () => {
  echo = await startEcho()
})
afterAll(() => echo.close())

const open = (log: Log = silentLog, change: Record<string, string> = {}): Promise<Product> =>
  openProduct(readSettings({ ...env, ...change }), {
    isLoopbackOnly: true,
    startsWarm: false,
    log,
    approvalUrl: () => null,
    pagesUrl: () => null,
    publicUrl: () => null,
  })

async function withProduct<T>(work: (product: Product) => Promise<T>, ...given: Parameters<typeof open>): Promise<T> {
  const product = await open(...given)
  try {
    return await work(product)
  } finally {
    await product.core.close()
  }
}

const spec = (): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    servers: [{ url: echo.url }],
    paths: { "/echo/list": { get: { operationId: "things/list", responses: { 200: { description: "ok" } } } } },
  })

const connections = [
  [localHuman, "org", "main"],
  [localHuman, "user", "main"],
  [bob, "user", "main"],
  [localHuman, "org", "granted"],
] as const
const tokenOf = (who: Principal, owner: string, name: string): string => `secret-${owner}-${who.user}-${name}`

/** As an older version would have written them: what is added today under another slug, moved row by row. */
async function addOld(slug: string, { core, store }: Product): Promise<void> {
  const vault = createEncryptedVault(keyFromText(secretKey))(store)
  await store.tenants.ensure({ tenant: bob.tenant, id: bob.user, name: "Bob", roles: ["admin"] })
  const config = { spec: spec(), headers: { "X-Team": "team-secret" } }
  await core.as(localHuman).integrations.add({ slug: "shop", kind: "openapi", config })
  for (const [who, owner, name] of connections) {
    const auth = { template: "bearer", values: { token: tokenOf(who, owner, name) } } as const
    await core.as(who).connections.create({ integration: "shop", owner, name, auth })
  }
  const row = await store.integrations.get(localHuman, "shop")
  if (row === null) throw new Error("It was just added")
  const old = IntegrationSlug.make(slug)
  await store.integrations.put(localHuman, { ...row, slug: old })
  await vault.put(localHuman, integrationSecretRef(old), (await vault.open(localHuman, integrationSecretRef("shop"))) ?? {})
  for (const [who, owner, name] of connections) {
    const [from, to] = [connectionRef("shop", owner, name), connectionRef(old, owner, name)]
    const connection = await store.connections.get(who, from)
    if (connection === null) throw new Error("It was just created")
    const template = name === "granted" ? "oauth2" : connection.template
    await store.connections.put(who, { ...connection, integration: old, template })
    await vault.put(who, connectionSecretRef(who, to), (await vault.open(who, connectionSecretRef(who, from))) ?? {})
    await store.pins.put(who, to, [{ tool: "things.list", definition: "{}" }])
  }
  await core.as(localHuman).integrations.remove("shop")
  const client = clientRow({ integration: old })
  await store.oauthClients.put(localHuman, client)
  await store.oauthFlows.put(flowRow(localHuman, { id: "flow", integration: old }))
  const granted = connectionRef(old, "org", "granted")
  const grant = { oauthClientId: client.id, renewAt: later, expiresAt: later, grantedBy: localHuman.user }
  await store.oauthGrants.put(localHuman, granted, grantRow("org", { ...granted, ...grant }))
}

async function addPatterns({ store }: Product): Promise<void> {
  await store.policies.put(localHuman, policyRow("org", { id: "pol", pattern: "builtin.*.*.things.never", action: "block" }))
  await store.roles.put(localHuman.tenant, roleRow({ patterns: ["builtin.**", "github.**"] }))
  await store.tokens.put(tokenRow(bob, { id: "tok", patterns: '["builtin.**"]' }))
}

/** What the upstream is sent for a call through each connection. */
async function sent(slug: string, { core }: Product): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const [who, owner, name] of connections) {
    const answer = await core.as(who).execute(`${slug}.${owner}.${name}.things.list`)
    const headers = echo.ledger.at(-1)?.headers
    seen.push([answer.ok, headers?.["authorization"], headers?.["x-team"]])
  }
  return seen
}
const expected = connections.map(([who, owner, name]) => [true, `Bearer ${tokenOf(who, owner, name)}`, "team-secret"])

const renames = async ({ core }: Product, who = localHuman) =>
  (await core.as(who).audit.list({ action: "integration.rename" })).items.map(({ subject, outcome, principal, details }) => ({
    subject,
    outcome,
    user: principal.user,
    details,
  }))
const entry = (from: string, to: string) => ({
  subject: from,
  outcome: "ok",
  user: "anonymous",
  details: { before: { slug: from }, after: { slug: to }, isAuthenticated: false },
})

const databases = {
  SQLite: async () => ({}),
  PostgreSQL: async () => ({ EXECUTOR_DATABASE_URL: await (await sharedPostgres()).createDatabase() }),
}

describe.each(Object.entries(databases))("on %s", (_name, database) => {
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "executor-slugs-"))
    env = { EXECUTOR_DATA_DIR: dataDir, EXECUTOR_SECRET_KEY: secretKey, ...(await database()) }
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))

  test("the next start renames it with all that names it, once, and its credentials still work", async () => {
    await withProduct(async (product) => {
      await addOld("builtin", product)
      await addPatterns(product)
    })
    // Two nodes start at once.
    const products = await Promise.all([open(), open()])
    try {
      for (const product of products) {
        expect(await sent("builtin_api", product)).toEqual(expected)
        expect(await renames(product)).toEqual([entry("builtin", "builtin_api")])
      }
      const [{ core, store }] = products
      expect((await core.as(localHuman).integrations.list()).items.map(({ slug }) => slug)).toEqual(["builtin_api"])
      expect((await store.policies.get(localHuman, "pol"))?.pattern).toBe("builtin_api.*.*.things.never")
      expect((await store.roles.list(localHuman.tenant)).map(({ patterns }) => patterns)).toEqual([["builtin_api.**", "github.**"]])
      expect((await store.tokens.get(bob, "tok"))?.patterns).toBe('["builtin_api.**"]')
      expect(await store.oauthGrants.get(localHuman, connectionRef("builtin_api", "org", "granted"))).toMatchObject({ expiresAt: later })
      expect((await store.oauthFlows.findById("flow"))?.integration).toBe("builtin_api")
      for (const [who, owner, name] of connections) {
        expect(await store.pins.list(who, connectionRef("builtin_api", owner, name))).toHaveLength(1)
        expect(await store.credentials.get(who, connectionSecretRef(who, connectionRef("builtin", owner, name)))).toBeNull()
      }
      expect(await store.credentials.get(localHuman, integrationSecretRef("builtin"))).toBeNull()
    } finally {
      await Promise.all(products.map(({ core }) => core.close()))
    }
    await withProduct(async (product) => expect(await renames(product)).toHaveLength(1))
  })

  test("every tenant's is renamed, to the next slug that is free", async () => {
    const add = async ({ core, store }: Product, who: Principal, slug: string): Promise<void> => {
      await core.as(who).integrations.add({ slug: "shop", kind: "openapi", config: { spec: spec() } })
      const row = await store.integrations.get(who, "shop")
      if (row !== null) await store.integrations.put(who, { ...row, slug: IntegrationSlug.make(slug) })
      await core.as(who).integrations.remove("shop")
    }
    await withProduct(async (product) => {
      await product.store.tenants.ensure({ tenant: stranger.tenant, id: stranger.user, name: "Stranger", roles: ["admin"] })
      for (const slug of ["registry", "registry_api", "local"]) await add(product, localHuman, slug)
      await add(product, stranger, "agents")
    })
    await withProduct(async (product) => {
      const slugs = async (who: Principal) => (await product.core.as(who).integrations.list()).items.map(({ slug }) => slug)
      expect(await slugs(localHuman)).toEqual(["local_api", "registry_api", "registry_api2"])
      expect(await slugs(stranger)).toEqual(["agents_api"])
      const bySubject = (await renames(product)).toSorted((a, b) => a.subject.localeCompare(b.subject))
      expect(bySubject).toEqual([entry("local", "local_api"), entry("registry", "registry_api2")])
      expect(await renames(product, stranger)).toEqual([entry("agents", "agents_api")])
    })
  })

  test("what the key of this start cannot open stays as it was, until the right key is back", async () => {
    await withProduct((product) => addOld("local", product))
    const warnings: string[] = []
    const log: Log = { ...silentLog, warn: (_facts, message) => void warnings.push(message) }
    const wrongKey = { EXECUTOR_SECRET_KEY: "another key, which opens nothing" }
    await withProduct(
      async ({ store }) => {
        expect(warnings.filter((text) => text.includes("'local' is reserved now"))).toHaveLength(1)
        expect((await store.integrations.list(localHuman, { after: null, limit: 9 })).map(({ slug }) => slug)).toEqual(["local"])
      },
      log,
      wrongKey,
    )
    await withProduct(async (product) => expect(await sent("local_api", product)).toEqual(expected))
  })
})
