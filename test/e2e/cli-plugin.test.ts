// The command line with plugins: tools that need no connection, and questions that are forms.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const config = `
const any = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }
const tool = (path, handler) => ({ path, name: "One Thing", description: path, inputSchema: any, handler })
const plugin = (id, tools, more = {}) => ({ id, name: id, description: id, tools, ...more })
const form = {
  type: "object",
  properties: {
    size: { type: "string", enum: ["small", "it's"], description: "How large\\nit is" },
    count: { type: "integer", title: "How many" },
    gift: { type: "boolean" },
    "odd name": { type: "string" },
  },
  required: ["size", "count"],
}
export default {
  plugins: [
    plugin("desk", [tool("desk.forms.fill", async (ctx) => await ctx.elicit({ message: "What shall it be?", requestedSchema: form }))]),
    plugin("bank", [tool("bank.money.list", () => 1)], { authProviders: [{ id: "bank", type: "bearer" }] }),
  ],
}
`

let product: Product
let cli: Cli

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-cli-plugin-"))
  writeFileSync(join(dataDir, "executor.config.mjs"), config)
  product = await startProduct({ dataDir })
  cli = openCli(dataDir)
})
afterAll(() => product.stop())

test("a plugin without authentication needs no connection, one with it does", async () => {
  const { stdout } = await cli.run(["tools", "sources"])
  expect(stdout).toMatch(/^desk +plugin +1 +needs none/m)
  expect(stdout).toMatch(/^bank +plugin +0 +none: npx executor connections add bank/m)
})
