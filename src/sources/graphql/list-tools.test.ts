// Schemas are asked of real servers, friendly and hostile ones, and compiled in a real thread.
import { createServer } from "node:http"
import { schema as github } from "@octokit/graphql-schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startGraphQL } from "../../../test/servers/graphql.ts"
import type { GraphQLOptions, GraphQLServer } from "../../../test/servers/graphql.ts"
import { startGraphQLCaller } from "../../../test/servers/graphql-caller.ts"
import type { GraphQLCaller, GraphQLGiven } from "../../../test/servers/graphql-caller.ts"
import { typeDefs } from "../../../test/servers/graphql-schema.ts"
import { listen } from "../../../test/servers/listen.ts"
import type { ListedTools } from "../source-adapter.ts"

let caller: GraphQLCaller
const open: { close(): Promise<void> }[] = []

beforeAll(() => {
  caller = startGraphQLCaller()
})
afterAll(async () => {
  await Promise.all(open.map((server) => server.close()))
  await caller.close()
})

async function serve(options: GraphQLOptions = {}): Promise<GraphQLServer> {
  const server = await startGraphQL(options)
  open.push(server)
  return server
}

/** A server that answers every introspection with this text. */
async function answering(body: string, status = 200): Promise<string> {
  const site = await listen(
    createServer((_, response) => void response.writeHead(status, { "content-type": "application/json" }).end(body)),
  )
  open.push(site)
  return site.url
}

const introspection = (types: readonly unknown[], more: Record<string, unknown> = {}): string =>
  JSON.stringify({ data: { __schema: { queryType: { name: "Query" }, types, directives: [], ...more } } })
const field = (name: string, type: unknown = { kind: "SCALAR", name: "Int" }, args: readonly unknown[] = []): unknown => ({
  name,
  type,
  args,
})
const scalar = { kind: "SCALAR", name: "Int" }
const query = (...fields: readonly unknown[]): unknown => ({ kind: "OBJECT", name: "Query", interfaces: [], fields })
const names = (listed: ListedTools): string[] => listed.tools.map((tool) => tool.name)
const bearer = (value: string): GraphQLGiven => ({ placements: [{ in: "header", name: "Authorization", value: `Bearer ${value}` }] })

describe("an endpoint", () => {
  it("is asked for its schema", async () => {
    const server = await serve()
    const listed = await caller.list({ endpoint: server.endpoint, headers: { "X-Own": "1" } })
    expect(listed.facts).toMatchObject({
      title: "127.0.0.1",
      origins: [server.url],
      auth: [{ template: "none" }, { template: "bearer" }, { template: "api_key" }],
      warnings: [],
      toolCount: listed.tools.length,
    })
    expect(names(listed)).toEqual(expect.arrayContaining(["graphql", "query.viewer", "mutation.createPost"]))
    expect(listed.document).toBeNull()
    expect(server.ledger).toHaveLength(1)
    expect(server.ledger[0]).toMatchObject({ operationName: "IntrospectionQuery", headers: { "x-own": "1" } })
    const sdl = await caller.list({ endpoint: server.endpoint, sdl: typeDefs })
    expect(sdl.tools).toEqual(listed.tools)
  })
  it("that does not know the newest form is asked in an older one", async () => {
    const server = await serve({ introspection: "plain" })
    expect(names(await caller.list({ endpoint: server.endpoint }))).toContain("query.viewer")
    expect(server.ledger.length).toBeGreaterThan(1)
  })
  it("that does not tell its schema is described by SDL", async () => {
    const server = await serve({ introspection: "off" })
    await expect(caller.list({ endpoint: server.endpoint })).rejects.toThrow(/Introspection is disabled at http.*SDL text in config.sdl/)
    expect(server.ledger).toHaveLength(1)
    expect(names(await caller.list({ endpoint: server.endpoint, sdl: "type Query { count: Int }" }))).toEqual(["graphql", "query.count"])
    expect(server.ledger).toHaveLength(1)
  })
})

describe("an endpoint that wants a credential", () => {
  it("has no tools before there is a connection, and says so", async () => {
    const server = await serve({ token: "s3cret" })
    const { facts, tools } = await caller.list({ endpoint: server.endpoint }, null)
    expect(tools).toEqual([])
    expect(facts).toMatchObject({
      origins: [server.url],
      auth: [{ template: "bearer" }, { template: "api_key" }],
      toolCount: 0,
      warnings: [{ location: server.endpoint, message: expect.stringContaining("no tools until a connection provides one") }],
    })
  })
  it("is asked with the connection's", async () => {
    const server = await serve({ token: "s3cret" })
    expect(names(await caller.list({ endpoint: server.endpoint }, "connection", bearer("s3cret")))).toContain("query.viewer")
    await expect(caller.list({ endpoint: server.endpoint }, "connection", bearer("wrong"))).rejects.toThrow(
      /401.*check the connection's credential/,
    )
    await expect(caller.list({ endpoint: server.endpoint })).rejects.toThrow(/401.*add one to the connection/)
  })
  it("gets none where its origin is not confirmed", async () => {
    const server = await serve({ token: "s3cret" })
    const listed = await caller.list({ endpoint: server.endpoint }, "connection", {
      ...bearer("s3cret"),
      origins: ["https://elsewhere.example"],
    })
    expect(listed).toMatchObject({ tools: [], facts: { origins: [server.url] } })
  })
  it.each([
    { message: "You must be authenticated" },
    { message: "No", extensions: { code: "UNAUTHENTICATED" } },
    { message: "Invalid API key or access token" },
  ])("may say so with status 200: %j", async (error) => {
    const endpoint = await answering(JSON.stringify({ errors: [error] }))
    expect((await caller.list({ endpoint }, null)).facts.auth[0]).toMatchObject({ template: "bearer" })
  })
})

describe("what is no endpoint", () => {
  it.each([
    ["<html></html>", 200, "does not respond like a GraphQL endpoint"],
    ['{"hello":"world"}', 200, "does not respond like a GraphQL endpoint"],
    ['{"message":"Not Found"}', 404, "answered 404 Not Found"],
    ["", 500, "answered 500"],
    ['{"errors":[{"message":"Boom"}]}', 400, "refused the introspection query: Boom"],
    ['{"data":{}}', 200, "without a schema"],
    ['{"data":{"__schema":null}}', 200, "without a schema"],
    [`{"data":{"__schema":${"[".repeat(200_000)}`, 200, "not JSON"],
    [`${" ".repeat(70_000)}{"x":1}`, 200, "no __schema"],
    [`${" ".repeat(70_000)}<html>`, 200, "web page"],
  ])("is told apart (%#)", async (body, status, message) => {
    const endpoint = `${await answering(body, status)}/graphql?key=s3cret`
    const refusal = await caller.list({ endpoint }).then(
      () => "",
      (error: unknown) => String(error),
    )
    expect(refusal).toContain(message)
    expect(refusal).not.toContain("s3cret")
  })
  it("may not answer at all", async () => {
    await expect(caller.list({ endpoint: "http://127.0.0.1:1/graphql" })).rejects.toThrow("could not be introspected: Could not connect")
  })
  it("may be too slow, or too large", async () => {
    const site = await listen(createServer(() => {}))
    open.push(site)
    await expect(caller.list({ endpoint: site.url }, null, { limits: { callTimeoutMs: 50 } })).rejects.toThrow("could not be introspected")
    const endpoint = await answering(JSON.stringify({ data: "x".repeat(300_000) }))
    await expect(caller.list({ endpoint }, null, { limits: { documentBytesMax: 100_000 } })).rejects.toMatchObject({
      code: "payload_too_large",
    })
  })
})

describe("a hostile schema", () => {
  const listText = async (text: string, given: GraphQLGiven = {}): Promise<ListedTools> =>
    caller.list({ endpoint: await answering(text) }, null, given)
  /** As text, because writing it as a value would be too deep for us as well. */
  const nested = (depth: number): string =>
    introspection([query(field("deep", "DEEP")), scalar]).replace(
      '"DEEP"',
      `${'{"kind":"LIST","ofType":'.repeat(depth)}{"kind":"SCALAR","name":"Int"}${"}".repeat(depth)}`,
    )

  it("of too many types, fields or values is refused", async () => {
    const types = Array.from({ length: 200_000 }, (_, n) => ({ kind: "OBJECT", name: `T${n}`, interfaces: [], fields: [] }))
    await expect(listText(introspection([query(field("x")), scalar, ...types]))).rejects.toMatchObject({ code: "payload_too_large" })
    const fields = Array.from({ length: 30_000 }, (_, n) => field(`f${n}`))
    await expect(listText(introspection([query(...fields), scalar]))).rejects.toThrow("30000 queries and mutations")
    await expect(listText(introspection([query(...fields), scalar]), { limits: { documentNodesMax: 1_000 } })).rejects.toThrow(
      "more than 1000 values",
    )
  })
  it("that says a long thing often is refused", async () => {
    const description = "x".repeat(20_000)
    const fields = Array.from({ length: 19_000 }, (_, n) => `f${n}: T`).join(" ")
    const leaves = Array.from({ length: 100 }, (_, n) => `${"a".repeat(90)}${n}: Int`).join(" ")
    await expect(
      caller.list({ endpoint: "http://127.0.0.1:1", sdl: `"${description}" type T { ${leaves} } type Query { ${fields} }` }),
    ).rejects.toThrow("descriptions and schemas")
  })
  it("may nest lists as it likes", async () => {
    expect(names(await listText(nested(1_000)))).toContain("query.deep")
    await expect(listText(nested(400_000))).rejects.toThrow(/nested too deeply|cannot be read|ended early|more memory/)
    const sdl = `type Query { deep: ${"[".repeat(200_000)}Int${"]".repeat(200_000)} }`
    await expect(caller.list({ endpoint: "http://127.0.0.1:1", sdl })).rejects.toThrow(/nested too deeply|cannot be read/)
  })
  it("with huge parts keeps what can be used", async () => {
    const many = (count: number, part: (n: number) => string): string => Array.from({ length: count }, (_, n) => part(n)).join(" ")
    const sdl = `type Huge { ${many(60_000, (n) => `field_with_a_long_name_${n}: Int`)} } enum Choice { ${many(6_000, (n) => `V${n}`)} }
      input Wide { ${many(1_500, (n) => `i${n}: Int`)} }
      type Query { huge: Huge choice(one: Choice): Choice wide(by: Wide): Int args(${many(1_500, (n) => `a${n}: Int`)}): Int }`
    const listed = await caller.list({ endpoint: "http://127.0.0.1:1", sdl })
    expect(names(listed)).toEqual(["graphql", "query.huge", "query.choice", "query.wide"])
    expect(listed.definitions.get("Choice")).toBe('{"type":"string","description":"One of 6000 values."}')
    expect(listed.definitions.get("Wide")).toBe('{"type":"object"}')
    expect(listed.tools[1]?.binding.length).toBeLessThan(5_000)
    expect(listed.facts.warnings).toEqual([
      { location: "query.args", message: "It has more than 1000 arguments; it was left out" },
      { location: "Huge", message: "The type is too large to be selected from with `select`" },
    ])
  })
  it("may be circular everywhere", async () => {
    const sdl = `interface A implements B { x: Int self: A } interface B implements A { x: Int self: B }
      type C implements A & B { x: Int self: C u: U } union U = C | D type D { d: D u: U }
      input I { i: I! list: [I!]! } type Query { a: A b: B c(i: I!): C u: U query: Query }`
    const listed = await caller.list({ endpoint: "http://127.0.0.1:1", sdl })
    expect(names(listed)).toEqual(["graphql", "query.a", "query.b", "query.c", "query.u", "query.query"])
  })
  it("may use any name", async () => {
    const types = [
      query(
        field("__proto__"),
        field("constructor"),
        field("toString", { kind: "OBJECT", name: "__proto__" }),
        field("no-name"),
        field("hasOwnProperty", scalar, [
          { name: "__proto__", type: scalar },
          { name: "valueOf", type: { kind: "INPUT_OBJECT", name: "constructor" } },
        ]),
      ),
      { kind: "OBJECT", name: "__proto__", interfaces: [], fields: [field("__proto__"), field("x")] },
      {
        kind: "INPUT_OBJECT",
        name: "constructor",
        inputFields: [
          { name: "__proto__", type: scalar },
          { name: "prototype", type: scalar, defaultValue: "{{" },
        ],
      },
      { kind: "OBJECT", name: "not a name", fields: [] },
      null,
      scalar,
    ]
    const listed = await listText(introspection(types))
    expect(names(listed)).toEqual(["graphql", "query.constructor", "query.toString", "query.hasOwnProperty"])
    expect(listed.facts.warnings.map((warning) => warning.message).join("\n")).toMatch(/no valid name[\s\S]*default value of 'prototype'/)
    expect(JSON.parse(listed.tools[3]?.inputSchema ?? "")).toMatchObject({
      properties: { valueOf: { anyOf: [{ $ref: "#/$defs/constructor" }, {}] } },
    })
    expect(Object.prototype).not.toHaveProperty("x")
  })
  it.each([
    ["no query type", introspection([scalar], { queryType: null }), "neither queries nor mutations"],
    ["no types", introspection([]), "cannot be read"],
    ["types that are no list", introspection([], { types: 5 }), "cannot be read"],
    ["an unknown type", introspection([query(field("x", { kind: "OBJECT", name: "Nowhere" })), scalar]), "Nowhere"],
    ["a type that is cut off", introspection([query(field("x", { kind: "LIST", ofType: null })), scalar]), "cannot be read"],
    ["an unknown kind", introspection([query(field("x")), { kind: "ODD", name: "Odd" }, scalar]), "cannot be read"],
    [
      "an input as an answer",
      introspection([query(field("x", { kind: "INPUT_OBJECT", name: "I" })), { kind: "INPUT_OBJECT", name: "I", inputFields: [] }]),
      "cannot be read",
    ],
  ])("with %s is refused with a reason", async (_, text, message) => {
    await expect(listText(text)).rejects.toThrow(message)
  })
  it("ends when its time is over, or when nobody waits any more", async () => {
    await expect(
      caller.list({ endpoint: "http://127.0.0.1:1", sdl: github.idl }, null, { limits: { documentCompileMs: 1 } }),
    ).rejects.toThrow("longer than 1 ms")
    const signal = AbortSignal.abort(new Error("gone"))
    await expect(caller.list({ endpoint: "http://127.0.0.1:1", sdl: github.idl }, null, { signal })).rejects.toThrow("gone")
  })
  it("in SDL says where it is wrong", async () => {
    await expect(caller.list({ endpoint: "http://127.0.0.1:1", sdl: "type Query { x: }" })).rejects.toThrow(
      "The SDL cannot be read: Syntax Error",
    )
    await expect(caller.list({ endpoint: "http://127.0.0.1:1", sdl: "type Query { x: Nowhere }" })).rejects.toThrow(
      'Unknown type: "Nowhere"',
    )
    await expect(caller.list({ endpoint: "http://127.0.0.1:1", sdl: "type T { x: Int }" })).rejects.toThrow("neither queries nor mutations")
  })
})
