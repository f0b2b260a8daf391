// Where calls go.
import { describe, expect, it } from "vitest"
import { compileForTest, openApi } from "../testing/compile.ts"
import type { Json, TestedDocument } from "../testing/compile.ts"

const get = { get: { operationId: "call" } }
const serving = (servers: unknown, options: Parameters<typeof compileForTest>[1] = {}): TestedDocument =>
  compileForTest(openApi({ "/a": get }, { servers }), options)
const urlsOf = (document: TestedDocument): readonly string[] => document.tool("call").bound.servers

describe("servers of OpenAPI 3", () => {
  it("are absolute, without a trailing slash", () => {
    const document = serving([{ url: "https://a.example.com/v1/" }, { url: "http://b.example.com:8080" }])
    expect(urlsOf(document)).toEqual(["https://a.example.com/v1", "http://b.example.com:8080"])
    expect(document.facts.origins).toEqual(["https://a.example.com", "http://b.example.com:8080"])
  })

  it("have variables, of which the config gives some", () => {
    const servers = [
      { url: "https://{region}.example.com/{base}", variables: { region: { default: "eu", enum: ["eu", "us"] }, base: { default: 2 } } },
    ]
    expect(urlsOf(serving(servers))).toEqual(["https://eu.example.com/2"])
    expect(urlsOf(serving(servers, { variables: { region: "us" } }))).toEqual(["https://us.example.com/2"])
    const wrong = serving(servers, { variables: { region: "mars" } })
    expect(urlsOf(wrong)).toEqual([])
    expect(wrong.messages.join()).toContain("'region' cannot be 'mars'")
    expect(serving([{ url: "https://{tenant}.example.com" }]).messages.join()).toContain("'tenant' has no value")
    expect(urlsOf(serving([{ url: "https://{toString}.example.com" }]))).toEqual([])
  })

  it("are relative to the document's URL", () => {
    expect(urlsOf(serving([{ url: "/v2" }], { documentUrl: "https://x.example.com/docs/openapi.json" }))).toEqual([
      "https://x.example.com/v2",
    ])
    expect(urlsOf(serving([{ url: "v2/" }], { documentUrl: "https://x.example.com/docs/openapi.json" }))).toEqual([
      "https://x.example.com/docs/v2",
    ])
    expect(urlsOf(serving(undefined, { documentUrl: "https://x.example.com/docs/openapi.json" }))).toEqual(["https://x.example.com"])
  })

  it("that are relative to nothing leave the operation without a server, and say so", () => {
    const document = serving([{ url: "/v2" }], { documentUrl: null })
    expect(document.names).toEqual(["call"])
    expect(document.facts.origins).toEqual([])
    expect(document.messages).toEqual([
      "#/servers/0: The server '/v2' is relative, and the document has no URL of its own: set 'baseUrl' to call its operations",
    ])
  })

  it("are all replaced by a base URL", () => {
    const document = serving([{ url: "/v2" }], { documentUrl: null, baseUrl: "http://127.0.0.1:9/api?key=1" })
    expect(document.facts.origins).toEqual(["http://127.0.0.1:9"])
    expect(document.messages).toEqual([])
    expect(document.tool("call").binding).not.toContain("key")
  })

  it("may be those of a path or of an operation", () => {
    const at = (url: string): Json => ({ servers: [{ url }] })
    const document = compileForTest(
      openApi({
        "/a": {
          ...at("https://path.example.com"),
          get: { operationId: "own", ...at("https://own.example.com") },
          put: { operationId: "inherited" },
        },
        "/b": get,
      }),
    )
    expect(document.tool("own").bound.servers).toEqual(["https://own.example.com"])
    expect(document.tool("inherited").bound.servers).toEqual(["https://path.example.com"])
    expect(document.tool("call").bound.servers).toEqual(["https://api.example.com/v1"])
    expect(document.facts.origins.toSorted()).toEqual(["https://api.example.com", "https://own.example.com", "https://path.example.com"])
  })

  it("that cannot be called are left out", () => {
    const document = serving([
      { url: "ftp://a.example.com" },
      { url: "https://user:pw@b.example.com/x?y=1#z" },
      {},
      "https://c.example.com",
      { url: "https://[bad" },
    ])
    expect(urlsOf(document)).toEqual(["https://b.example.com/x"])
    expect(document.messages).toHaveLength(5)
  })
})

describe("servers of Swagger 2.0", () => {
  const swagger = (root: Json, documentUrl: string | null = null): TestedDocument =>
    compileForTest({ swagger: "2.0", paths: { "/a": get }, ...root }, { documentUrl })

  it("are joined of host, base path and schemes, the safe one first", () => {
    expect(urlsOf(swagger({ host: "api.example.com", basePath: "/v1/", schemes: ["http", "https", "ws"] }))).toEqual([
      "https://api.example.com/v1",
      "http://api.example.com/v1",
    ])
    expect(urlsOf(swagger({ host: "api.example.com" }))).toEqual(["https://api.example.com"])
    expect(urlsOf(swagger({ host: "api.example.com:81", basePath: "v1", schemes: ["http"] }))).toEqual(["http://api.example.com:81/v1"])
  })

  it("take what is missing from the document's URL", () => {
    expect(urlsOf(swagger({ basePath: "/v1" }, "http://x.example.com:8080/swagger.json"))).toEqual(["http://x.example.com:8080/v1"])
    const nowhere = swagger({ basePath: "/v1" })
    expect(urlsOf(nowhere)).toEqual([])
    expect(nowhere.messages.join()).toContain("names no host")
  })

  it("follow the schemes of an operation", () => {
    const document = compileForTest({
      swagger: "2.0",
      host: "a.example.com",
      schemes: ["https"],
      paths: { "/a": { get: { operationId: "call", schemes: ["http"] } } },
    })
    expect(urlsOf(document)).toEqual(["http://a.example.com"])
  })
})
