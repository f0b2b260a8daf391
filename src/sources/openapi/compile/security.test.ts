// Which ways to authenticate a document offers.
import { describe, expect, it } from "vitest"
import type { AuthOption } from "../../../core/auth.ts"
import { compileForTest, openApi } from "../testing/compile.ts"
import type { Json } from "../testing/compile.ts"

const offered = (securitySchemes: Json, security?: unknown, operation: Json = {}): readonly AuthOption[] =>
  compileForTest(
    openApi({ "/a": { get: operation } }, { components: { securitySchemes }, ...(security === undefined ? {} : { security }) }),
  ).facts.auth

const bearer = { type: "http", scheme: "bearer" }
const key = (name: string, place = "header"): Json => ({ type: "apiKey", name, in: place })

describe("schemes", () => {
  it("become templates with the places of their values", () => {
    expect(offered({ k: { ...key("X-Key"), description: "Ask us" } })).toEqual([
      {
        template: "api_key",
        name: "k",
        description: "Ask us",
        values: ["key"],
        placements: [{ in: "header", name: "X-Key", value: "${key}" }],
      },
    ])
    expect(offered({ k: key("key", "query") })[0]?.placements).toEqual([{ in: "query", name: "key", value: "${key}" }])
    expect(offered({ k: key("sid", "cookie") })[0]?.placements).toEqual([{ in: "cookie", name: "sid", value: "${key}" }])
    expect(offered({ b: { type: "http", scheme: "Basic" } })).toEqual([
      {
        template: "basic",
        name: "b",
        description: "",
        values: ["username", "password"],
        placements: [{ in: "header", name: "Authorization", value: "Basic ${base64(username:password)}" }],
      },
    ])
    expect(offered({ t: bearer })).toEqual([
      {
        template: "bearer",
        name: "t",
        description: "",
        values: ["token"],
        placements: [{ in: "header", name: "Authorization", value: "Bearer ${token}" }],
      },
    ])
    expect(offered({ t: { type: "http", scheme: "DPoP" } })).toMatchObject([
      { template: "custom", values: ["value"], placements: [{ value: "DPoP ${value}" }] },
    ])
  })

  it("of OAuth record their flows", () => {
    const flows = {
      authorizationCode: {
        authorizationUrl: "https://a.example.com/auth",
        tokenUrl: "https://a.example.com/token",
        scopes: { read: "Read" },
        "x-y": 1,
      },
      other: {},
    }
    expect(offered({ o: { type: "oauth2", flows } })).toMatchObject([
      {
        template: "oauth2",
        oauth: {
          flows: {
            authorizationCode: {
              authorizationUrl: "https://a.example.com/auth",
              tokenUrl: "https://a.example.com/token",
              scopes: { read: "Read" },
            },
          },
        },
      },
    ])
    expect(offered({ o: { type: "openIdConnect", openIdConnectUrl: "https://a.example.com/.well-known" } })).toMatchObject([
      { template: "oauth2", oauth: { openIdConnectUrl: "https://a.example.com/.well-known" } },
    ])
  })

  it("of Swagger 2.0 are read too", () => {
    const document = compileForTest({
      swagger: "2.0",
      paths: {},
      securityDefinitions: {
        b: { type: "basic" },
        o: { type: "oauth2", flow: "accessCode", authorizationUrl: "https://a.example.com", tokenUrl: "https://b.example.com", scopes: {} },
      },
    })
    expect(document.facts.auth).toMatchObject([
      { template: "basic" },
      {
        template: "oauth2",
        oauth: { flows: { authorizationCode: { authorizationUrl: "https://a.example.com", tokenUrl: "https://b.example.com" } } },
      },
    ])
  })
})

describe("requirements", () => {
  const schemes = { a: bearer, b: key("X-B"), c: key("X-C"), d: { type: "oauth2", flows: {} } }

  it("order the options: the document's, then those of operations, then the rest", () => {
    expect(offered(schemes, [{ c: [] }], { security: [{ b: [] }] }).map((option) => option.name)).toEqual(["c", "b", "a", "d"])
  })

  it("that hold together are one option", () => {
    expect(offered({ "app-key": key("X-App"), "1user": key("X-User") }, [{ "app-key": [], "1user": [] }])[0]).toEqual({
      template: "custom",
      name: "app-key + 1user",
      description: "",
      values: ["app_key", "value_1user"],
      placements: [
        { in: "header", name: "X-App", value: "${app_key}" },
        { in: "header", name: "X-User", value: "${value_1user}" },
      ],
    })
    expect(offered(schemes, [{ d: [], b: [] }])[0]).toMatchObject({
      template: "oauth2",
      placements: [{ name: "Authorization" }, { name: "X-B" }],
    })
  })

  it("that are empty offer none; without any scheme nothing else is offered", () => {
    expect(offered(schemes, [{}, { a: [] }]).map((option) => option.template)).toEqual(["none", "bearer", "api_key", "api_key", "oauth2"])
    expect(offered(schemes, [{ a: [] }], { security: [] }).map((option) => option.template)).not.toContain("none")
    expect(offered({}).map((option) => option.template)).toEqual(["none"])
  })

  it("that cannot be met are left out, with a warning", () => {
    const document = compileForTest(
      openApi(
        {},
        {
          components: { securitySchemes: { m: { type: "mutualTLS" }, n: 5, k: { type: "apiKey" }, a: bearer } },
          security: [{ gone: [] }, "x"],
        },
      ),
    )
    expect(document.facts.auth.map((option) => option.name)).toEqual(["a"])
    expect(document.messages.filter((message) => message.includes("security scheme"))).toHaveLength(4)
  })
})

describe("an operation that takes no credentials", () => {
  const paths = {
    "/open": { get: { operationId: "open", security: [] } },
    "/optional": { get: { operationId: "optional", security: [{}, { key: [] }] } },
    "/closed": { get: { operationId: "closed" } },
  }
  const anonymous = (rest: object): unknown[] =>
    ["open", "optional", "closed"].map((name) => compileForTest(openApi(paths, { ...rest })).tool(name).bound.anonymous)

  it("is known as such", () => {
    const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Key" } }
    expect(anonymous({ components: { securitySchemes }, security: [{ key: [] }] })).toEqual([true, undefined, undefined])
  })

  it("is like all others where the document knows of no credentials", () => {
    expect(anonymous({})).toEqual([undefined, undefined, undefined])
  })
})
