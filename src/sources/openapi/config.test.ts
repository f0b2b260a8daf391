// What a config may say, and how it is told what is wrong.
import { describe, expect, it } from "vitest"
import { ExecutorError } from "../../core/errors.ts"
import { parseOpenApiConfig } from "./config.ts"

const none = { baseUrl: null, headers: {}, variables: {}, include: [], exclude: [] }
const document = { openapi: "3.0.0", servers: [{ url: "http://127.0.0.1:9999/v1" }, { url: "/relative" }], paths: {} }

describe("a config", () => {
  it("names a URL", async () => {
    expect(await parseOpenApiConfig({ spec: " https://api.example.com/openapi.json " })).toEqual({
      config: { spec: "https://api.example.com/openapi.json", ...none },
      document: null,
      urls: ["https://api.example.com/openapi.json"],
    })
  })

  it("holds a document as an object or as a text", async () => {
    const parsed = { config: { spec: null, ...none }, urls: ["http://127.0.0.1:9999/v1"] }
    expect(await parseOpenApiConfig({ spec: document })).toEqual({ ...parsed, document: JSON.stringify(document) })
    const json = JSON.stringify(document, null, 2)
    expect(await parseOpenApiConfig({ spec: json })).toEqual({ ...parsed, document: json })
    const yaml = "# mine\nopenapi: 3.0.0\nservers:\n  - url: http://127.0.0.1:9999/v1\npaths: {}\n"
    expect(await parseOpenApiConfig({ spec: yaml })).toEqual({ ...parsed, document: yaml })
  })

  it("says everything else", async () => {
    const rest = {
      baseUrl: "http://localhost:3000/api",
      headers: { "X-Key": "${env:KEY}" },
      variables: { region: "eu" },
      include: ["tag:a"],
      exclude: ["/admin/**"],
    }
    const parsed = await parseOpenApiConfig({ spec: "https://api.example.com/openapi.json", ...rest })
    expect(parsed.config).toEqual({ spec: "https://api.example.com/openapi.json", ...rest })
    expect(parsed.urls).toEqual(["http://localhost:3000/api", "https://api.example.com/openapi.json"])
  })

  it("grants the servers of an inline document: of paths, of operations, with variables, of Swagger", async () => {
    const spec = {
      ...document,
      servers: [{ url: "http://{host}:1", variables: { host: { default: "a.test" } } }],
      paths: { "/a": { servers: [{ url: "http://b.test" }], get: { servers: [{ url: "http://c.test" }] } } },
    }
    expect((await parseOpenApiConfig({ spec })).urls).toEqual(["http://a.test:1", "http://c.test", "http://b.test"])
    expect((await parseOpenApiConfig({ spec, variables: { host: "z.test" } })).urls).toContain("http://z.test:1")
    expect((await parseOpenApiConfig({ spec: { swagger: "2.0", host: "localhost:8080", schemes: ["http"], paths: {} } })).urls).toEqual([
      "http://localhost:8080",
    ])
  })

  it.each<[string, unknown, string]>([
    ["no object", 5, "config"],
    ["no spec", {}, "config.spec"],
    ["a spec of another kind", { spec: 5 }, "config.spec"],
    ["a path on the server", { spec: "/etc/passwd" }, "Paths on the server are not read"],
    ["a relative path", { spec: "./openapi.yaml" }, "Paths on the server are not read"],
    ["a file URL", { spec: "file:///etc/passwd" }, "Paths on the server are not read"],
    ["a Windows path", { spec: "C:\\openapi.yaml" }, "Paths on the server are not read"],
    ["an empty spec", { spec: "" }, "Paths on the server are not read"],
    ["a URL that is none", { spec: "https://" }, "config.spec"],
    ["an unknown field", { spec: document, sepc: 1 }, "no field 'sepc'"],
    ["a base URL that is relative", { spec: document, baseUrl: "/v1" }, "config.baseUrl"],
    ["a base URL of another protocol", { spec: document, baseUrl: "ftp://a" }, "config.baseUrl"],
    ["a header that is no text", { spec: document, headers: { a: 1 } }, "config.headers.a"],
    ["a header that breaks out", { spec: document, headers: { a: "b\r\nc: d" } }, "config.headers.a"],
    ["a header without a name", { spec: document, headers: { "a b": "c" } }, "config.headers: 'a b' is not the name of a header"],
    ["a pattern that is no text", { spec: document, include: [1] }, "config.include.0"],
    ["patterns that are no list", { spec: document, exclude: "a" }, "config.exclude"],
    ["text that cannot be read", { spec: '{"openapi":' }, "cannot be read as JSON"],
  ])("is refused with %s", async (_, input, message) => {
    await expect(parseOpenApiConfig(input)).rejects.toThrow(ExecutorError)
    await expect(parseOpenApiConfig(input)).rejects.toThrow(message)
  })

  it("is refused when the object cannot be written", async () => {
    const circular: Record<string, unknown> = { openapi: "3.0.0" }
    circular.self = circular
    await expect(parseOpenApiConfig({ spec: circular })).rejects.toThrow("circular")
  })
})
