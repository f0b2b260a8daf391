// Takes the screenshots of the README from the demo's shop: `node scripts/screenshots.ts`, after `npm run build`.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { startManyPageBrowser } from "../test/e2e/browser.ts"
import { startProduct } from "../test/e2e/product.ts"
import { startShopApi } from "../src/surfaces/cli/demo/shop-api.ts"

const folder = join(import.meta.dirname, "..", "docs", "images")

const restock = `const low = await tools.shop.products.list({ stockMax: 60 }).unwrap()
// One order for each product that runs low.
return await Promise.all(
  low.map(({ id }) => tools.shop.orders.create({ productId: id, quantity: 20 }).unwrap()),
)`

mkdirSync(folder, { recursive: true })
const shop = await startShopApi({ port: 0, token: null })
const product = await startProduct()
const browser = await startManyPageBrowser()
try {
  const { client, url } = product
  await client.integrations.add({ slug: "shop", kind: "openapi", config: { spec: `${shop.url}/openapi.json` } })
  await client.connections.create({ integration: "shop" })
  const { token } = await client.tokens.create({ name: "restocker", kind: "agent" })
  const { body } = await product.request("POST", "/executions", { code: restock }, token)
  const { executionId } = body as { executionId: string } // as documented
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5 })
  const { code } = await client.sessions.create()
  await page.goto(`${url}/signin?code=${code}&next=/inbox`)
  await page.getByRole("button", { name: /^Approve/ }).waitFor()
  await page.screenshot({ path: join(folder, "inbox.png") })
  await page.getByRole("button", { name: /^Approve/ }).click()
  await page.getByText(/^Approved/).waitFor()
  await page.goto(`${url}/executions/${executionId}`)
  await page.getByText("Completed").first().waitFor()
  await page
    .getByRole("row", { name: /orders\.create/ })
    .first()
    .click()
  await page.screenshot({ path: join(folder, "execution.png") })
} finally {
  await browser.close()
  await product.stop()
  await shop.close()
}
