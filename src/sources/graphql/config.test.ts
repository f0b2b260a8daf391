// What a config may be, and what is said of one that is wrong.
import { expect, it } from "vitest"
import { ExecutorError } from "../../core/errors.ts"
import { parseGraphQLConfig } from "./config.ts"

const endpoint = "https://api.example.com/graphql"

it("takes an endpoint, with headers", () => {
  expect(parseGraphQLConfig({ endpoint: ` ${endpoint} `, headers: { "X-Key": "1" } })).toEqual({
    config: { endpoint, headers: { "X-Key": "1" } },
    document: null,
    urls: [endpoint],
  })
})
it("takes a schema apart from the config", () => {
  expect(parseGraphQLConfig({ endpoint, sdl: "type Query { x: Int }" })).toEqual({
    config: { endpoint, headers: {} },
    document: "type Query { x: Int }",
    urls: [endpoint],
  })
  expect(parseGraphQLConfig({ endpoint, sdl: { __schema: {} } }).document).toBe('{"__schema":{}}')
  expect(parseGraphQLConfig({ endpoint, sdl: null }).document).toBeNull()
})
it.each([
  [{}, "config.endpoint"],
  [null, "config"],
  [{ endpoint: "/graphql" }, "config.endpoint is not an absolute http(s) URL"],
  [{ endpoint: "file:///etc/passwd" }, "config.endpoint is not an absolute http(s) URL"],
  [{ endpoint, sdl: "/etc/schema.graphql" }, "not read; send the text"],
  [{ endpoint, sdl: 5 }, "config.sdl: expected the text of a schema"],
  [{ endpoint, url: "x" }, "config has no field 'url'; the fields are endpoint, headers, sdl"],
  [{ endpoint, headers: { "a b": "x" } }, "config.headers: 'a b' is not the name of a header"],
  [{ endpoint, headers: { a: "x\ny" } }, "config.headers.a: must be one line"],
])("refuses %j", (input, message) => {
  expect(() => parseGraphQLConfig(input)).toThrow(ExecutorError)
  expect(() => parseGraphQLConfig(input)).toThrow(message)
})
