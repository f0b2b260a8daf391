// Renewing a token against a real store and a real token endpoint: what ends a consent, and what only delays it.
import { createServer } from "node:http"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../../../test/servers/listen.ts"
import type { Listening } from "../../../test/servers/listen.ts"
import { defaultLimits } from "../../core/limits.ts"
import type { Scope } from "../../core/principal.ts"
import { systemClock } from "../../io/clock.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { silentLog } from "../../io/log.ts"
import { oauthClientSecretRef } from "../../store/oauth-store.ts"
import type { OauthClientRow, OauthGrantRow } from "../../store/oauth-store.ts"
import { openSqliteStore } from "../../store/sqlite.ts"
import { connectionSecretRef } from "../../store/store.ts"
import type { Store } from "../../store/store.ts"
import { clientRow, grantRow } from "../../store/testing/people/oauth-samples.ts"
import { connectionRow, integrationRow, newScope } from "../../store/testing/samples.ts"
import { createEncryptedVault } from "../encrypted/vault.ts"
import { createGrantOpener } from "./grant-opener.ts"

const directory = mkdtempSync(join(tmpdir(), "executor-grant-"))
const vaultOn = createEncryptedVault(new Uint8Array(32).fill(7))
let store: Store
let provider: Listening
let asked = 0
let answer: { status: number; body: unknown } = { status: 200, body: {} }

beforeAll(async () => {
  store = await openSqliteStore({ path: join(directory, "store.db") })
  provider = await listen(
    createServer((request, response) => {
      asked += 1
      request.resume()
      response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body))
    }),
  )
})
afterAll(async () => {
  await provider.close()
  await store.close()
  rmSync(directory, { recursive: true })
})

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()
const fresh = { status: 200, body: { access_token: "new-token", token_type: "Bearer", expires_in: 3600 } }
const placements = [{ in: "header", name: "Authorization", value: "Bearer ${token}" }] as const

/** A connection whose token is due, and how a call would open it. */
async function connect(variables: Record<string, string>, client: Partial<OauthClientRow> = {}, grant: Partial<OauthGrantRow> = {}) {
  const scope = newScope()
  const server = JSON.stringify({
    issuer: null,
    authorizationEndpoint: null,
    tokenEndpoint: `${provider.url}/token`,
    registrationEndpoint: null,
    scopesSupported: [],
    authMethods: [],
    sendsIssuer: false,
    literalUrls: [provider.url],
  })
  const row = grantRow("org", { oauthClientId: "oac", server, renewAt: inMs(-1000), expiresAt: inMs(-1000), ...grant })
  await store.integrations.put(scope, integrationRow("github"))
  await store.connections.put(scope, connectionRow("github", "org", "main"))
  await store.oauthClients.put(scope, clientRow({ id: "oac", server, ...client }))
  await store.oauthGrants.put(scope, row, row)
  const vault = vaultOn(store)
  await vault.put(scope, oauthClientSecretRef("oac"), { secret: "${env:SECRET}" })
  const ref = connectionSecretRef(scope, row)
  await vault.put(scope, ref, { token: "old-token", refreshToken: "refresh" })
  const opener = createGrantOpener({
    store,
    vaultOn,
    env: { variables, allow: "all" },
    network: createNetwork({ allowPrivateHosts: [], trustLiteralUrls: true, limits: defaultLimits, log: silentLog }),
    limits: defaultLimits,
    clock: systemClock,
    log: silentLog,
    node: "node",
    literalUrls: () => Promise.resolve([]),
    connectUrl: () => "https://here/connect",
  })
  const open = async (): Promise<string | undefined> =>
    (await opener.open(scope, row, { ref, placements, origins: [] }))?.placements[0]?.value
  return { scope, row, open }
}

const grantOf = (scope: Scope, row: OauthGrantRow): Promise<OauthGrantRow | null> => store.oauthGrants.get(scope, row)

test("what fails before the provider is asked leaves nothing claimed: the next call goes on at once", async () => {
  const variables: Record<string, string> = {}
  const { scope, row, open } = await connect(variables)
  const before = asked
  await expect(open()).rejects.toThrow(/SECRET is not set/)
  expect(asked).toBe(before)
  expect(await grantOf(scope, row)).toMatchObject({ leaseOwner: null, leaseUntil: null, lapsedAt: null })
  variables["SECRET"] = "s3cret"
  answer = fresh
  expect(await open()).toBe("Bearer new-token")
})

test.each(["invalid_client", "unauthorized_client", "invalid_scope"])("%s does not end the consent: it is tried again", async (error) => {
  const { scope, row, open } = await connect({ SECRET: "wrong" })
  answer = { status: 401, body: { error } }
  await expect(open()).rejects.toMatchObject({
    code: "auth_required",
    message: expect.stringContaining("an admin must"),
    details: { connectUrl: "https://here/connect" },
  })
  expect(await grantOf(scope, row)).toMatchObject({ leaseOwner: null, lapsedAt: null })
  answer = fresh
  expect(await open()).toBe("Bearer new-token")
})

test("a token that is still good serves while its provider does not accept us", async () => {
  const { open } = await connect({ SECRET: "wrong" }, {}, { expiresAt: inMs(30_000) })
  answer = { status: 401, body: { error: "invalid_client" } }
  expect(await open()).toBe("Bearer old-token")
})

test("a consent that was withdrawn has ended, and nobody is asked again", async () => {
  const { scope, row, open } = await connect({ SECRET: "s3cret" })
  answer = { status: 400, body: { error: "invalid_grant" } }
  await expect(open()).rejects.toThrow(/has ended/)
  expect(await grantOf(scope, row)).toMatchObject({ leaseOwner: null, lapsedReason: "invalid_grant" })
  const before = asked
  await expect(open()).rejects.toMatchObject({ code: "auth_required" })
  expect(asked).toBe(before)
})

test("a client that we registered ourselves and the provider forgot is registered anew with the next consent", async () => {
  const { scope, open } = await connect({ SECRET: "s3cret" }, { kind: "registered" })
  answer = { status: 401, body: { error: "invalid_client" } }
  await expect(open()).rejects.toThrow(/has ended/)
  expect(await store.oauthClients.get(scope, "oac")).toBeNull()
})
