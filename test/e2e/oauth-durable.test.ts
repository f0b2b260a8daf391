// Renewed tokens survive what machines do: several processes at once, and death between renewal and use.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { addGreetings, expireTokens } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product, ProductOptions } from "./product.ts"

const rounds = process.env["EXECUTOR_CHAOS_FULL"] === undefined ? 2 : 20
const code = `return await tools.greetings.org.main.greetings.get({})`

describe.each(["sqlite", "postgresql"] as const)("on %s", (kind) => {
  const dataDirs = [mkdtempSync(join(tmpdir(), "executor-oauth-")), mkdtempSync(join(tmpdir(), "executor-oauth-"))]
  let nodes: Product[] = []
  let oidc: Oidc
  let options: (index: number) => ProductOptions

  beforeAll(async () => {
    const url = kind === "sqlite" ? null : await (await sharedPostgres()).createDatabase()
    const env = {
      EXECUTOR_LIMITS: JSON.stringify({ oauthLeaseMs: 10_000, oauthRequestMs: 9000 }),
      ...(url === null ? {} : { EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }),
    }
    options = (index) => ({ dataDir: dataDirs[kind === "sqlite" ? 0 : index] ?? "", env })
    nodes = [await startProduct(options(0)), await startProduct(options(1))]
    oidc = await startOidc({ redirectUris: nodes.map((node) => `${node.url}/api/oauth/callback`) })
    await addGreetings(nodeAt(0), oidc, "greetings")
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.kill("SIGKILL")))
    await oidc.close()
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true })
  })

  const nodeAt = (index: number): Product => {
    const node = nodes[index]
    if (node === undefined) throw new Error("There are two nodes")
    return node
  }
  const refreshes = (): number => oidc.ledger.filter((entry) => entry.grantType === "refresh_token").length
  const succeeds = async (node: Product): Promise<void> =>
    expect((await node.client.run(code)).structured).toMatchObject({ result: { ok: true } })

  test("two processes that need a new token at once ask for one", async () => {
    await expireTokens(nodeAt(0), oidc, "greetings")
    const before = refreshes()
    await Promise.all(Array.from({ length: 20 }, (_, index) => succeeds(nodeAt(index % 2))))
    expect(refreshes() - before).toBe(1)
  })

  test(`a rotated refresh token is not lost when the process dies before the new token is used, ${rounds} times`, async () => {
    for (let round = 0; round < rounds; round++) {
      await expireTokens(nodeAt(1), oidc, "greetings")
      const before = { refreshes: refreshes(), calls: oidc.apiLedger.length }
      let release = (): void => {}
      oidc.holdApi = new Promise((resolve) => (release = resolve))
      // The token after this one has run out at once, so that the restarted process must renew with what was stored.
      oidc.accessTokenSeconds = 1
      const dying = nodeAt(0)
        .client.run(code)
        .catch(() => null)
      await expect.poll(() => oidc.apiLedger.length).toBe(before.calls + 1)
      await nodeAt(0).kill("SIGKILL")
      release()
      oidc.holdApi = null
      oidc.accessTokenSeconds = 3600
      await dying
      expect(refreshes() - before.refreshes).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 1100))
      nodes[0] = await startProduct(options(0))
      await succeeds(nodeAt(0))
      expect(refreshes() - before.refreshes).toBe(2)
      expect(oidc.ledger.filter((entry) => entry.outcome === "refused")).toEqual([])
      // The new port is another redirect URI; consents of the next round are asked for by the node that stayed.
    }
  })

  test("a process that died while it renewed does not keep others from it", async () => {
    await expireTokens(nodeAt(1), oidc, "greetings")
    let release = (): void => {}
    oidc.holdTokens = new Promise((resolve) => (release = resolve))
    const dying = nodeAt(0)
      .client.run(code)
      .catch(() => null)
    await expect.poll(() => oidc.heldTokens).toBe(1)
    await nodeAt(0).kill("SIGKILL")
    // The provider serves nobody who is gone, and learns a moment later that somebody is.
    await expect.poll(() => oidc.heldTokens).toBe(0)
    release()
    oidc.holdTokens = null
    await dying
    await succeeds(nodeAt(1))
  })
})
