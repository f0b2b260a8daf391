// Model providers over HTTP and on the command line, against a real model server.
import { afterAll, beforeAll, expect, test } from "vitest"
import { startModelServer } from "../servers/model.ts"
import type { ModelServer } from "../servers/model.ts"
import { openCli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let server: ModelServer
beforeAll(async () => {
  server = await startModelServer(() => ({ text: "ready", usage: { input: 12, output: 1 } }), { apiKey: "sk-right" })
  product = await startProduct({ env: { MODEL_KEY: "sk-right" } })
})
afterAll(async () => {
  await product.stop()
  await server.close()
})

test("a provider is added, tried, repaired and removed, and the audit knows it without its key", async () => {
  const made = await product.request("POST", "/models/providers", {
    id: "local",
    kind: "openai_compatible",
    base_url: server.baseUrl,
    api_key: "sk-planted-wrong",
    models: ["scripted"],
  })
  expect(made).toMatchObject({ status: 201, body: { id: "local", baseUrl: server.baseUrl, apiKey: "***" } })
  const wrong = await product.client.models.providers.test("local")
  expect(wrong).toMatchObject({ ok: false, model: "scripted", kind: "auth" })
  await product.client.models.providers.update("local", { apiKey: "${env:MODEL_KEY}" })
  expect(await product.client.models.providers.test("local")).toMatchObject({
    ok: true,
    text: "ready",
    usage: { inputTokens: 12, outputTokens: 1 },
  })
  expect((await product.client.models.providers.list()).items).toMatchObject([{ id: "local", apiKey: "***" }])
  await product.client.models.providers.remove("local")
  expect((await product.request("POST", "/models/providers/local/test")).status).toBe(404)
  const audit = await product.request("GET", "/audit?limit=100")
  expect(JSON.stringify(audit.body)).toContain("model_provider.update")
  expect(JSON.stringify([audit.body, wrong, product.output()])).not.toMatch(/sk-planted-wrong|sk-right/)
})

test("the command line does the same", async () => {
  const run = (...args: string[]) => openCli(product.dataDir).run(["models", ...args])
  const added = await run("add", "openai_compatible", "--id", "cli", "--url", server.baseUrl, "--models", "scripted", "--env", "MODEL_KEY")
  expect(added).toMatchObject({ code: 0 })
  expect((await run("list")).stdout).toMatch(/cli\s+openai_compatible/)
  expect((await run("test", "cli")).stdout).toMatch(/scripted answered in \d+ ms: ready/)
  expect(await run("edit", "cli", "--no-key")).toMatchObject({ code: 0 })
  const failed = await run("test", "cli")
  expect(failed.stdout).toContain("did not answer (auth)")
  expect(failed.code).not.toBe(0)
  expect(await run("remove", "cli", "--yes")).toMatchObject({ code: 0 })
})
