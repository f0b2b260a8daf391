// Model providers over HTTP and on the command line, against a real model server.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
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
  expect((await run("add", "openai_compatible", "--id", "nowhere")).stderr).toContain("needs --url")
  expect((await run("add", "openai_compatible", "--id", "odd", "--url", "ftp://x", "--no-key")).stderr).toContain(
    "--url must be an address",
  )
  expect((await run("edit", "cli", "--url", "http://127.0.0.1:9/v1")).stderr).toContain("pass --env NAME or --secret-stdin")
  expect((await run("add", "openai", "--id", "keyless")).stderr).toContain("or --no-key where it needs none")
  expect((await run("test", "cli")).stdout).toMatch(/scripted answered in \d+ ms: ready/)
  expect(await run("add", "openai_compatible", "--id", "bare", "--url", server.baseUrl, "--no-key")).toMatchObject({ code: 0 })
  expect((await run("test", "bare")).stderr).toContain("Name a model to try with --model")
  expect(await run("edit", "cli", "--no-key")).toMatchObject({ code: 0 })
  const failed = await run("test", "cli")
  expect(failed.stdout).toContain("did not answer (auth)")
  expect(failed.code).not.toBe(0)
  for (const id of ["cli", "bare"]) expect(await run("remove", id, "--yes")).toMatchObject({ code: 0 })
})

describe("what runs cost", () => {
  const price = { input: 2, output: 10, cachedInput: 0.5 }
  const usage = { input: 1000, output: 100, cached: 600 }
  const model = { provider: "priced", name: "scripted" }

  beforeAll(async () => {
    const { client } = product
    const models = [{ name: "scripted", price }, "unpriced"]
    await client.models.providers.create({
      id: "priced",
      kind: "openai_compatible",
      baseUrl: server.baseUrl,
      apiKey: "sk-right",
      models,
    })
    await client.agents.create({ slug: "clerk", name: "Clerk", instructions: "I am the clerk.", model })
    await client.agents.create({ slug: "chief", name: "Chief", instructions: "I am the chief.", model, tools: ["agents.clerk"] })
    for (const slug of ["clerk", "chief"]) await client.agents.publish(slug)
    server.script((request) =>
      request.system === "I am the chief." && request.outputs.length === 0
        ? { calls: [{ name: "agents__clerk", arguments: { text: "Do it." } }], usage }
        : { text: "Done.", usage },
    )
  })

  test("is counted by the prices of the models, with that of the agents that they call", async () => {
    const [listed] = (await product.client.models.providers.list()).items
    expect(listed?.models).toEqual([{ name: "scripted", price: { currency: "USD", ...price } }, "unpriced"])
    const reply = await product.client.agents.run("chief", { text: "Go." })
    const used = { inputTokens: 3000, outputTokens: 300, cachedInputTokens: 1800, costUsd: 0.0063, steps: 2, calls: 1 }
    expect(reply.structured).toMatchObject({ status: "completed", usage: used })
    expect((await product.client.executions.get(reply.runId)).structured).toMatchObject({ usage: used })
    const cli = openCli(product.dataDir)
    const line = /2 steps, 1 call, 3000 tokens in \(1800 cached\), 300 out, \$0\.0063/
    expect((await cli.run(["agents", "run", "chief", "Go."])).stderr).toMatch(line)
    expect((await cli.run(["executions", "show", reply.runId])).stdout).toMatch(line)
    const events = (await cli.run(["agents", "run", "chief", "Go.", "--json"])).stdout.trim().split("\n")
    expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({ type: "end", reply: { structured: { usage: used } } })
  })

  test("is not told where a model of it has no price", async () => {
    await product.client.agents.update("clerk", { model: { ...model, name: "unpriced" } })
    await product.client.agents.publish("clerk")
    const { structured } = await product.client.agents.run("chief", { text: "Go." })
    expect(structured).toMatchObject({ status: "completed", usage: { inputTokens: 3000, outputTokens: 300 } })
    expect(JSON.stringify(structured)).not.toContain("costUsd")
  })

  test("follows prices of the command line, which stay with their models", async () => {
    const run = (...args: string[]) => openCli(product.dataDir).run(["models", ...args])
    expect(await run("edit", "priced", "--price", "unpriced=0.1/.2")).toMatchObject({ code: 0 })
    expect(await run("edit", "priced", "--models", "unpriced,scripted,third")).toMatchObject({ code: 0 })
    const [listed] = (await product.client.models.providers.list()).items
    expect(listed?.models).toEqual([
      { name: "unpriced", price: { currency: "USD", input: 0.1, output: 0.2 } },
      { name: "scripted", price: { currency: "USD", ...price } },
      "third",
    ])
    expect((await run("list")).stdout).toContain("unpriced ($0.1/$0.2), scripted ($2/$10/$0.5), third")
    for (const [word, text] of [
      ["third=free", "It must be such as gpt-5=1.25/10"],
      ["fourth=1/2", "'fourth', which is not among the models"],
    ] as const)
      expect((await run("edit", "priced", "--price", word)).stderr).toContain(text)
    for (const wrong of [{ input: 1 }, { input: -1, output: 1 }, { input: 1, output: 10_001 }, { ...price, currency: "EUR" }]) {
      const refused = await product.request("PATCH", "/models/providers/priced", { models: [{ name: "x", price: wrong }] })
      expect(refused.status).toBe(400)
    }
  })
})
