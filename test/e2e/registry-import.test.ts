// Defaults and backfill, sentence by sentence: what becomes of the rows of an older system.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.stop())

/** As an older system has it, with what a test says. */
const row = (slug: string, change: Readonly<Record<string, unknown>> = {}) => ({
  id: "1f0c",
  tenant_id: "theirs",
  slug,
  name: slug,
  description: "Old",
  schema: { input: { type: "object" }, output: { type: "object" } },
  config_schema: { implementation: { method: "GET", url: "https://example.com/" } },
  is_active: true,
  ...change,
})
async function bring(...tools: readonly unknown[]) {
  const { status, body } = await product.request("POST", "/registry/import", { tools })
  expect(status).toBe(200)
  return body as { created: string[]; skipped: string[]; warnings: string[] }
}
const isResolved = async (slug: string): Promise<boolean> => (await product.client.tools.schema(`registry.${slug}`)) !== null

describe("migration defaults", () => {
  test("existing tools -> status = published if is_active = true, else disabled", async () => {
    await bring(row("on"), row("off", { is_active: false }))
    expect(await product.client.registry.find("on")).toMatchObject({ status: "published", isActive: true })
    expect(await product.client.registry.find("off")).toMatchObject({ status: "disabled", isActive: false })
    expect([await isResolved("on"), await isResolved("off")]).toEqual([true, false])
  })
  test("version = 1.0.0 if missing", async () => {
    await bring(row("unversioned"), row("versioned", { version: "3.2.1" }))
    expect(await product.client.registry.find("unversioned")).toMatchObject({ version: "1.0.0", publishedVersion: "1.0.0" })
    expect(await product.client.registry.find("versioned")).toMatchObject({ version: "3.2.1", publishedVersion: "3.2.1" })
  })
  test("implementation_type inferred from artifact/config_schema/is_system", async () => {
    const artifact = await product.client.artifacts.create({ name: "Sum", code: "return 1" })
    await bring(
      row("by_artifact", { artifact_id: artifact.id, config_schema: {} }),
      row("by_type", { config_schema: { implementation: { type: "mcp", server_url: "https://example.com/mcp", tool_name: "x" } } }),
      row("by_field", { config_schema: { implementation: { code: "return 1" } } }),
    )
    for (const [slug, implementationType, toolType] of [
      ["by_artifact", "artifact", "artifact"],
      ["by_type", "mcp", "mcp"],
      ["by_field", "custom", "custom"],
    ])
      expect(await product.client.registry.find(slug ?? "")).toMatchObject({ status: "published", implementationType, toolType })
  })
})

test("rows that are system or global are skipped, with a warning", async () => {
  const result = await bring(
    row("system", { is_system: true }),
    row("everywhere", { tenant_id: null }),
    row("scoped", { scope: "global" }),
    row("camel", { tenantId: null }),
  )
  expect(result).toMatchObject({ created: [], skipped: ["system", "everywhere", "scoped", "camel"] })
  for (const warning of result.warnings) expect(warning).toContain("system and global tools come with the server")
})

test("legacy tenant-scoped built-in clone rows are hidden from standard list output", async () => {
  expect((await bring(row("clone", { builtin_key: "web_search", is_builtin_template: true }))).created).toEqual(["clone"])
  expect((await product.client.registry.list({}, { limit: 1000 })).items.map(({ slug }) => slug)).not.toContain("clone")
  expect((await product.client.tools.list()).map(({ name }) => String(name))).not.toContain("clone")
  expect(await isResolved("clone")).toBe(false)
})

test("unknown implementation types return explicit execution errors (no stub success fallback)", async () => {
  await bring(row("soap", { implementation_type: "soap" }))
  const { structured } = await product.client.run(`return (await tools.registry.soap({})).error.code`)
  expect(structured).toMatchObject({ result: "unknown_implementation_type" })
  const { id } = await product.client.registry.find("soap")
  await product.client.registry.update(id, { description: "Edited" })
  await expect(product.client.registry.publish(id)).rejects.toMatchObject({ code: "unknown_implementation_type" })
})

test("what is exported can be imported again, and changes nothing where it is", async () => {
  const file = await product.client.registry.export()
  const { created, skipped } = await product.client.registry.import(file)
  expect([created, skipped.length]).toEqual([[], file.tools.length])
})
