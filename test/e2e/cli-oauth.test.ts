// Connecting by OAuth from the command line: a link for a human, and a connection when they have consented.
import { afterAll, beforeAll, expect, test } from "vitest"
import { startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import { startStrictBrowser } from "./browser.ts"
import { openCli } from "./cli-run.ts"
import { addGreetings, consentByHand } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let oidc: Oidc

beforeAll(async () => {
  product = await startProduct()
  oidc = await startOidc({ redirectUris: [`${product.url}/api/oauth/callback`] })
  await addGreetings(product, oidc, "greetings")
})
afterAll(async () => {
  await product.stop()
  await oidc.close()
})

test("the link is printed, and what it leads to makes the tools callable", async () => {
  const cli = openCli(product.dataDir)
  const asked = await cli.run(["connections", "add", "greetings", "--auth", "oauth2"])
  expect(asked).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(`^${product.pagesUrl}/signin\\?code=\\S+&next=%2Fapi%2Foauth%2Fgo%2F\\S+\n$`),
  })
  expect(asked.stderr).toContain("Open the link in a browser")
  const browser = await startStrictBrowser()
  const page = await browser.newPage()
  await page.goto(asked.stdout.trim())
  await page.getByRole("heading", { name: "Connect greetings.org.main?" }).waitFor()
  await browser.close()
  const started = (await cli.json(["connections", "add", "greetings", "--auth", "oauth2"])) as { status: string; providerUrl: string }
  expect(started.status).toBe("consent_required")
  const callbackUrl = await consentByHand(started.providerUrl, `${product.url}/api/oauth/callback`)
  await product.client.oauth.complete({ callbackUrl })
  expect((await cli.run(["connections", "list"])).stdout).toMatch(/^greetings\.org\.main +ready +oauth2 +2/m)
  expect(await cli.run(["call", "greetings.greetings.get"])).toMatchObject({ code: 0, stdout: expect.stringContaining('"hello": "world"') })
})
