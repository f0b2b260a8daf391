// Documents are fetched from real servers and compiled in a real thread.
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../../../test/servers/listen.ts"
import type { Listening } from "../../../test/servers/listen.ts"
import { noCredential } from "../../core/auth.ts"
import { withLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { silentLog } from "../../io/log.ts"
import type { Network } from "../../io/network/outbound.ts"
import type { ListedTools } from "../source-adapter.ts"
import { parseOpenApiConfig } from "./config.ts"
import { listOpenApiTools } from "./list-tools.ts"

type Page = (request: IncomingMessage, response: ServerResponse) => void
let site: Listening
let network: Network
const pages = new Map<string, Page | string>()
const seen: { readonly path: string; readonly headers: IncomingMessage["headers"] }[] = []

beforeAll(async () => {
  const server = createServer((request, response) => {
    seen.push({ path: request.url ?? "", headers: request.headers })
    const page = pages.get((request.url ?? "").split("?")[0] ?? "")
    if (typeof page === "function") page(request, response)
    else response.writeHead(page === undefined ? 404 : 200).end(page ?? "gone")
  })
  site = await listen(server)
  network = createNetwork({ allowPrivateHosts: ["127.0.0.1"], trustLiteralUrls: true, limits: withLimits({}), log: silentLog })
})
afterEach(() => {
  pages.clear()
  seen.length = 0
})
afterAll(async () => {
  await network.close()
  await site.close()
})

type Options = { readonly limits?: Partial<Limits>; readonly document?: string; readonly signal?: AbortSignal }

async function list(input: Record<string, unknown>, options: Options = {}): Promise<ListedTools> {
  const parsed = await parseOpenApiConfig(input)
  return listOpenApiTools({
    config: parsed.config,
    document: options.document ?? parsed.document,
    credential: noCredential,
    connection: null,
    outbound: network.outbound({ literalUrls: parsed.urls }),
    limits: withLimits(options.limits ?? {}),
    signal: options.signal ?? new AbortController().signal,
    log: silentLog,
  })
}

const path = (rest: Record<string, unknown> = {}): Record<string, unknown> => ({ get: { responses: { 204: {} }, ...rest } })
const document = { openapi: "3.0.0", info: { title: "Shop", version: "2", description: "Sells" }, paths: { "/items": path() } }
const names = (listed: ListedTools): string[] => listed.tools.map((tool) => tool.name)

describe("a document", () => {
  it("is fetched with the config's headers, and given back to be stored", async () => {
    pages.set("/openapi.json", JSON.stringify(document))
    const listed = await list({ spec: `${site.url}/openapi.json?token=secret`, headers: { "X-Key": "k" } })
    expect(names(listed)).toEqual(["items.list"])
    expect(listed.facts).toMatchObject({
      title: "Shop",
      version: "2",
      description: "Sells",
      origins: [site.url],
      toolCount: 1,
      warnings: [],
    })
    expect(listed.document).toBe(JSON.stringify(document))
    expect(seen).toMatchObject([{ path: "/openapi.json?token=secret", headers: { "x-key": "k" } }])
  })

  it("that is stored is not fetched again", async () => {
    const listed = await list({ spec: `${site.url}/openapi.json` }, { document: JSON.stringify(document) })
    expect(names(listed)).toEqual(["items.list"])
    expect(listed.facts.origins).toEqual([site.url])
    expect(seen).toEqual([])
  })

  it("may be YAML, or come inside the config", async () => {
    pages.set("/openapi.yaml", "openapi: 3.1.0\npaths:\n  /a:\n    get: {}\n")
    expect(names(await list({ spec: `${site.url}/openapi.yaml` }))).toEqual(["a.list"])
    const inline = await list({ spec: document, baseUrl: "https://shop.example.com" })
    expect(names(inline)).toEqual(["items.list"])
    expect(inline.facts.origins).toEqual(["https://shop.example.com"])
    expect(inline.document).toBe(JSON.stringify(document))
  })

  it("sends user info of its URL as a header, and keeps it and the query out of messages", async () => {
    pages.set("/openapi.json", JSON.stringify({ ...document, servers: [{ url: "/v1" }] }))
    const secret = site.url.replace("http://", "http://me:hush@")
    const listed = await list({ spec: `${secret}/openapi.json?key=hush` })
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:hush").toString("base64")}`)
    expect(JSON.stringify({ ...listed, definitions: [...listed.definitions] })).not.toContain("hush")
    const failure = await list({ spec: `${secret}/none.json?key=hush` }).catch((error: unknown) => error)
    expect(String(failure)).toContain(`The document at ${site.url}/none.json could not be fetched: the server answered 404`)
    expect(String(failure)).not.toContain("hush")
  })

  it.each<[string, string, Partial<Limits>, string, string]>([
    ["a web page", "<html></html>", {}, "invalid_request", "web page"],
    ["no object", "[]", {}, "invalid_request", "not an object"],
    ["of no version", "{}", {}, "invalid_request", "neither an 'openapi' nor a 'swagger' field"],
    ["of an old version", '{"swagger":"1.2"}', {}, "invalid_request", "version 1.2"],
    ["too large", JSON.stringify(document), { documentBytesMax: 50 }, "payload_too_large", "over 50 bytes"],
  ])("is refused when it is %s", async (_, text, limits, code, message) => {
    pages.set("/bad", text)
    const failure = await list({ spec: `${site.url}/bad` }, { limits }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code })
    expect(String(failure)).toContain(message)
  })

  it("is held to its size also where it came inside the config", async () => {
    await expect(list({ spec: document }, { limits: { documentBytesMax: 50 } })).rejects.toMatchObject({ code: "payload_too_large" })
  })
})

describe("files that it refers to", () => {
  const split = {
    openapi: "3.0.0",
    paths: {
      "/pets": { $ref: "./paths/pets.yaml" },
      "/far": path({ parameters: [{ name: "q", in: "query", schema: { $ref: "http://127.0.0.1:1/far.json#/X" } }] }),
    },
  }

  const publish = (): void => {
    pages.set("/api/openapi.json", JSON.stringify(split))
    pages.set(
      "/api/paths/pets.yaml",
      "get:\n  responses:\n    200:\n      content: {application/json: {schema: {$ref: '../schemas.json#/definitions/Pet'}}}\n",
    )
    pages.set("/api/schemas.json", '{"definitions":{"Pet":{"type":"object","properties":{"self":{"$ref":"#/definitions/Pet"}}}}}')
  }

  it("are fetched from its own origin, and stored with it", async () => {
    publish()
    const listed = await list({ spec: `${site.url}/api/openapi.json`, headers: { "X-Key": "k" } })
    expect(names(listed).toSorted()).toEqual(["far.list", "pets.list"])
    expect(seen.map((request) => request.path)).toEqual(["/api/openapi.json", "/api/paths/pets.yaml", "/api/schemas.json"])
    expect(seen.every((request) => request.headers["x-key"] === "k")).toBe(true)
    expect([...listed.definitions.values()].some((text) => text.includes('"self"'))).toBe(true)
    expect(listed.facts.warnings.map(({ message }) => message)).toEqual([
      "Files of another origin are not read",
      expect.stringContaining("'http://127.0.0.1:1/far.json' was not read"),
    ])

    seen.length = 0
    const again = await list({ spec: `${site.url}/api/openapi.json` }, { document: listed.document ?? "" })
    expect(seen).toEqual([])
    expect(again.tools).toEqual(listed.tools)
    expect([...again.definitions]).toEqual([...listed.definitions])
    expect(again.document).toBe(listed.document)
  })

  it("are limited in number, and cost only what needs them", async () => {
    publish()
    const listed = await list({ spec: `${site.url}/api/openapi.json` }, { limits: { documentRefsExternalMax: 1 } })
    expect(names(listed).toSorted()).toEqual(["far.list", "pets.list"])
    expect(listed.facts.warnings.map(({ message }) => message)).toContain("A document may refer to 1 other files")
  })

  it("are not asked for by a document without a URL", async () => {
    publish()
    const listed = await list({ spec: split })
    expect(names(listed)).toEqual(["far.list"])
    expect(seen).toEqual([])
  })

  it("are found from where a redirect ends, unless that is another origin", async () => {
    publish()
    pages.set("/latest", (_, response) => void response.writeHead(302, { location: "/api/openapi.json" }).end())
    const listed = await list({ spec: `${site.url}/latest` })
    expect(names(listed).toSorted()).toEqual(["far.list", "pets.list"])
    expect((await list({ spec: `${site.url}/latest` }, { document: listed.document ?? "" })).tools).toEqual(listed.tools)

    const elsewhere = await listen(
      createServer((_, response) => void response.end(JSON.stringify({ ...document, servers: [{ url: "/v1" }] }))),
    )
    pages.set("/moved", (_, response) => void response.writeHead(302, { location: `${elsewhere.url}/openapi.json` }).end())
    try {
      expect((await list({ spec: `${site.url}/moved` })).facts.origins).toEqual([site.url])
    } finally {
      await elsewhere.close()
    }
  })
})

describe("a hostile document", () => {
  /** Long enough to compile that any machine is caught in the middle of it. */
  const slow = (): string => {
    const paths = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`/p${index}/{a}/{b}`, { get: { operationId: "same" }, put: {}, post: {} }]),
    )
    return JSON.stringify({ openapi: "3.0.0", paths })
  }

  it("is ended when it takes too long", async () => {
    await expect(list({ spec: "https://x.example.com/a" }, { document: slow(), limits: { documentCompileMs: 100 } })).rejects.toMatchObject(
      {
        code: "invalid_request",
        message: "The document takes longer than 100 ms to read; it is not imported",
      },
    )
  })

  it("is ended when nobody waits for it any more", async () => {
    const controller = new AbortController()
    const listing = list({ spec: "https://x.example.com/a" }, { document: slow(), signal: controller.signal })
    setTimeout(() => controller.abort(new Error("enough")), 100)
    await expect(listing).rejects.toThrow("enough")
    await expect(list({ spec: document }, { signal: controller.signal })).rejects.toThrow("enough")
  })

  it.each([
    ["JSON", () => `{"openapi":"3.0.0","paths":{},"x":[${"{},".repeat(9_000_000)}{}]}`],
    ["JSON in depth", () => `{"openapi":"3.0.0","paths":{},"x":${"[".repeat(9_000_000)}${"]".repeat(9_000_000)}}`],
    ["YAML", () => `openapi: 3.0.0\nx: [${"a,".repeat(9_000_000)}]`],
    ["YAML in lines", () => `openapi: 3.0.0\nx:\n${"- \n".repeat(9_000_000)}`],
  ])("that would fill memory with %s is refused before it is parsed", async (_, text) => {
    const failure = await list({ spec: "https://x.example.com/a" }, { document: text() }).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: "payload_too_large",
      message: expect.stringContaining("The document holds more than 2000000 values. "),
    })
  })

  it("that says a long thing once and repeats it ten thousand times is cut", async () => {
    const text = [
      "openapi: 3.0.0",
      "components: {parameters: {P: {name: q, in: query, description: " + "x".repeat(19_000) + ", schema: {type: string}}}}",
      "paths:",
      ...Array.from({ length: 10_000 }, (_, index) => `  /p${index}: {get: {parameters: [{$ref: '#/components/parameters/P'}]}}`),
    ].join("\n")
    const listed = await list({ spec: "https://x.example.com/a" }, { document: text, limits: { documentBytesMax: 2_000_000 } })
    expect(listed.tools.length).toBeGreaterThan(150)
    expect(listed.tools.length).toBeLessThan(250)
    expect(listed.facts.warnings.at(-1)?.message).toContain("left out")
  })

  it("may nest and repeat itself as it likes", async () => {
    const deep = `${"[".repeat(9_000)}${"]".repeat(9_000)}`
    const text = `openapi: 3.0.0\nx: ${deep}\npaths:\n  /a:\n    get:\n      parameters:\n        - {name: q, in: query, schema: {default: ${deep}}}`
    expect(names(await list({ spec: "https://x.example.com/a" }, { document: text }))).toEqual(["a.list"])
    const tooDeep = `openapi: 3.0.0\nx: ${"[".repeat(100_000)}`
    await expect(list({ spec: "https://x.example.com/a" }, { document: tooDeep })).rejects.toMatchObject({ code: "invalid_request" })
  })
})
