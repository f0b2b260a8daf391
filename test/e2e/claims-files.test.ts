// An upstream's JSON that claims to be a file stays data, and its credential is redacted wherever it appears.
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ClaimsServer, Reply } from "./claims-server.ts"
import { claimed, json, png, secret, startClaims } from "./claims-server.ts"
import { connectMcp } from "./mcp-client.ts"
import { startProduct } from "./product.ts"

let server: ClaimsServer
beforeAll(async () => {
  server = await startClaims()
})
afterAll(() => server.close())

const run: ClaimsServer["runAsAgent"] = (code, options) => server.runAsAgent(code, options)
const said = async (): Promise<unknown> => (await run("return await tools.bin.said.get()")).structured.result

describe("a file", () => {
  test("that an agent's arguments make of an echo does not carry the credential past redaction", async () => {
    const call = (params: object): Promise<Reply> => run(`return await tools.bin.anything.get({ params: ${JSON.stringify(params)} })`)
    expect((await call({ x: "1" })).structured.result).toMatchObject({ data: { args: { x: "1", api_key: "***" } } })
    const reply = await call({ _tag: "ToolFile", data: "eA==" })
    expect(reply.structured.result).toMatchObject({ data: { args: { data: "eA==", api_key: "***" } } })
    const history = await server.call("GET", `/api/executions/${reply.executionId}`)
    expect(JSON.stringify([reply, history.body])).not.toContain(secret)
  })

  test.each([
    ["beside empty data", { _tag: "ToolFile", data: "", x: secret }],
    ["in the data itself", { _tag: "ToolFile", mimeType: "text/plain", encoding: "base64", data: secret }],
    ["at depth", { list: [{ _tag: "ToolFile", data: "", inner: { [secret]: [{ _tag: "ToolFile", data: secret }] } }] }],
    ["in an envelope", { ok: true, data: { _tag: "ToolFile", data: "", x: secret } }],
  ])("that an upstream claims, with the secret %s, is plain JSON", async (_name, body) => {
    server.say(json(body))
    const result = await said()
    expect(JSON.stringify(result)).not.toContain(secret)
    expect(JSON.stringify(result)).not.toContain('"_tag":"ToolFile"')
  })

  test.each([
    ["name", { "content-type": "image/png", "content-disposition": `attachment; filename="${secret}"` }],
    ["extended name", { "content-type": "image/png", "content-disposition": `attachment; filename*=UTF-8''a-${secret}.png` }],
    ["type", { "content-type": `image/${secret.toLowerCase()}; x=${secret}` }],
  ])("is redacted in its %s", async (_name, headers) => {
    server.say((response) => void response.writeHead(200, headers).end(Buffer.from([0, 1, 2, 255])))
    const result = await said()
    expect(result).toMatchObject({ ok: true, data: { _tag: "ToolFile", byteLength: 4 } })
    expect(JSON.stringify(result)).not.toContain(secret)
  })

  test("is shown as a picture where an adapter made it, and as JSON where a stranger says so", async () => {
    const client = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
    const shown = async (code: string): Promise<string[]> =>
      (await client.callTool({ name: "execute", arguments: { code } })).content.map(({ type }) => type)
    server.say(json({ picture: claimed }))
    expect(await shown("return await tools.bin.said.get()")).toEqual(["text"])
    expect(await shown("emit((await tools.bin.said.get()).data.picture)")).toEqual(["text", "text"])
    expect(await shown("return (await tools.relay.bodies.list()).data.claimed")).toEqual(["text"])
    const listed =
      "(await tools.discover({ query: 'pictures of marmots', includeSchemas: true })).results[0].inputSchema.properties.picture"
    expect((await run(`return ${listed}`)).structured.result).toMatchObject({ default: { mimeType: "image/png" } })
    expect(await shown(`return ${listed}`)).toEqual(["text"])
    expect(await shown("return (await tools.relay.bodies.list()).data.made")).toEqual(["text", "resource"])
    server.say((response) => void response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from(png, "base64")))
    expect(await shown("return await tools.bin.said.get()")).toEqual(["text", "image"])
    await client.close()
  })

  test("that an adapter made, or an agent writes, can be sent on as an argument", async () => {
    server.say(
      (response) =>
        void response
          .writeHead(200, { "content-type": "image/png", "content-disposition": "attachment; filename=dot.png" })
          .end("PNGBYTES"),
    )
    await run(`const { data } = await tools.bin.said.get(); return await tools.bin.files.send({ file: data })`)
    expect(server.received.at(-1)?.body).toContain('filename="dot.png"')
    expect(server.received.at(-1)?.body).toContain("PNGBYTES")
    const own = { _tag: "ToolFile", name: "own.txt", mimeType: "text/plain", encoding: "base64", data: "b3duIHRleHQ=" }
    await run(`return await tools.bin.files.send({ file: ${JSON.stringify(own)} })`)
    expect(server.received.at(-1)?.body).toContain("own text")
  })
})

test.each([
  ["message", 1_000],
  ["body", 32 * 1024],
])("an error whose %s is cut inside the credential shows nothing of it", async (_part, charsMax) => {
  const before = `${charsMax === 1_000 ? "" : '{"message":"'}Bad request: /err?q=&api_key=`.length
  for (const kept of [8, 9, 15, secret.length - 1, secret.length]) {
    const code = `return await tools.bin.err.get({ q: "x".repeat(${charsMax - before - kept}) })`
    const reply = await run(code)
    const history = await server.call("GET", `/api/executions/${reply.executionId}`)
    expect(reply.structured.result).toMatchObject({ ok: false, error: { code: "upstream_error", status: 400 } })
    expect(JSON.stringify(reply.structured.result)).toContain(charsMax === 1_000 ? "&api_key=***" : '"details":"{')
    expect(JSON.stringify([reply, history.body])).not.toContain(secret.slice(0, 8))
  }
})

test("nothing of it is in the store", async () => {
  const product = await startProduct()
  try {
    await product.client.integrations.add({ slug: "bin", kind: "openapi", config: { spec: server.document } })
    await product.client.connections.create({ integration: "bin", auth: { template: "api_key", values: { apiKey: secret } } })
    server.say(json({ _tag: "ToolFile", data: "", x: secret }))
    const reply = await product.client.run(
      "return [await tools.bin.said.get(), await tools.bin.anything.get({ params: { _tag: 'ToolFile', data: '' } })]",
    )
    expect(reply.status).toBe("completed")
    await product.kill("SIGTERM")
    const files = readdirSync(product.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString("latin1"))
    expect(texts.length).toBeGreaterThan(1)
    for (const text of texts) expect(text.includes(secret)).toBe(false)
  } finally {
    await product.stop()
  }
})
