// Documents that are broken at random are refused with a reason, or compiled as far as they can be.
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ToolName } from "../../../core/address.ts"
import { ExecutorError } from "../../../core/errors.ts"
import { compileForTest, openApi } from "../testing/compile.ts"
import type { TestedDocument } from "../testing/compile.ts"

/** A document that has everything, to be broken. */
const whole = openApi(
  {
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }, { $ref: "#/components/parameters/Page" }],
      servers: [{ url: "https://{r}.example.com", variables: { r: { default: "eu" } } }],
      get: {
        operationId: "pets/get",
        tags: ["pets"],
        responses: { 200: { $ref: "#/components/responses/Pet" }, default: { content: { "text/plain": {} } } },
        security: [{ key: [] }],
      },
      put: {
        operationId: "pets/put",
        requestBody: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } },
        responses: { 204: { description: "ok" } },
      },
      post: {
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: { type: "object", properties: { f: { type: "string", format: "binary" } } },
              encoding: { f: { contentType: "image/png" } },
            },
          },
        },
      },
    },
  },
  {
    components: {
      parameters: {
        Page: { name: "page", in: "query", style: "deepObject", schema: { type: "object", additionalProperties: { type: "integer" } } },
      },
      responses: { Pet: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } } },
      schemas: {
        Pet: {
          type: "object",
          nullable: true,
          required: ["name"],
          properties: {
            name: { type: "string", enum: ["a"] },
            owner: { $ref: "#/components/schemas/Owner" },
            kids: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
          },
        },
        Owner: { oneOf: [{ $ref: "#/components/schemas/Pet" }, { allOf: [{ type: "object" }] }], discriminator: { propertyName: "name" } },
      },
      securitySchemes: {
        key: { type: "apiKey", name: "k", in: "header" },
        oauth: { type: "oauth2", flows: { implicit: { authorizationUrl: "https://a.example.com", scopes: {} } } },
      },
    },
    security: [{ key: [], oauth: [] }],
  },
)

const swagger = {
  swagger: "2.0",
  host: "a.example.com",
  consumes: ["application/json"],
  paths: {
    "/a/{id}": {
      get: {
        parameters: [
          { name: "id", in: "path", type: "string" },
          { name: "l", in: "query", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
        ],
        responses: { 200: { schema: { $ref: "#/definitions/A" } } },
      },
      post: { parameters: [{ name: "b", in: "body", schema: { $ref: "#/definitions/A" } }] },
      put: { consumes: ["multipart/form-data"], parameters: [{ name: "f", in: "formData", type: "file" }] },
    },
  },
  definitions: { A: { type: "object", properties: { a: { $ref: "#/definitions/A" } } } },
  securityDefinitions: { o: { type: "oauth2", flow: "implicit" } },
}

/** Every place of a document, as the names that lead to it. */
function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([name, child]) => placesOf(child, [...at, name]))]
}

function replaced(value: unknown, at: readonly string[], by: unknown): unknown {
  const [name, ...rest] = at
  if (name === undefined) return by
  if (Array.isArray(value)) return value.map((child: unknown, index) => (String(index) === name ? replaced(child, rest, by) : child))
  return Object.fromEntries(
    Object.entries(value as object).map(([key, child]) => [key, key === name ? replaced(child, rest, by) : (child as unknown)]),
  )
}

const poison = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1e308,
    "",
    "x",
    "#",
    "#/",
    "#/paths",
    "#/components/schemas/Pet",
    "http://[",
    "{",
    "{x}",
    "__proto__",
    [],
    [null],
    {},
    { $ref: "#" },
    { $ref: "#/components/schemas/Owner" },
    { $ref: 5 },
    { "": {} },
  ),
  fc.jsonValue({ maxDepth: 4 }),
)

describe.each([
  ["OpenAPI", whole],
  ["Swagger", swagger],
])("a broken %s document", (_, original) => {
  const places = placesOf(original)
  const broken = fc.array(fc.tuple(fc.constantFrom(...places), poison), { minLength: 1, maxLength: 4 }).map((changes) =>
    changes.reduce<unknown>((document, [at, by]) => {
      try {
        return replaced(document, at, by)
      } catch {
        // An earlier change took the place away.
        return document
      }
    }, original),
  )

  it("is refused with a reason, or gives tools that hold together", () => {
    fc.assert(
      fc.property(broken, (document) => {
        const compiled = compileOrRefuse(document)
        if (compiled === null) return
        expectSound(compiled)
        expect(compileForTest(document).tools).toEqual(compiled.tools)
      }),
      { numRuns: 400 },
    )
  })
})

/** Null where the document is refused with a reason; anything else that is thrown is a bug. */
function compileOrRefuse(document: unknown): TestedDocument | null {
  try {
    return compileForTest(document)
  } catch (error) {
    if (error instanceof ExecutorError) return null
    throw error
  }
}

function expectSound(compiled: TestedDocument): void {
  expect(new Set(compiled.names).size).toBe(compiled.names.length)
  for (const name of compiled.names) {
    expect(ToolName.check(name).ok).toBe(true)
    const { inputSchema, outputSchema, input, bound } = compiled.tool(name)
    expect(input.type).toBe("object")
    for (const { arg } of bound.parameters) expect(Object.hasOwn(input.properties as object, arg)).toBe(true)
    for (const text of [inputSchema, outputSchema ?? "", ...compiled.definitions.values()]) {
      for (const [, ref] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]*)"/g)) expect(compiled.definitions.has(ref ?? "")).toBe(true)
    }
  }
}
