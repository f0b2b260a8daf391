// Calls of a real GraphQL server: what arrives there, and what comes back.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startGraphQL } from "../../../../test/servers/graphql.ts"
import type { GraphQLServer, SeenOperation } from "../../../../test/servers/graphql.ts"
import { startGraphQLCaller } from "../../../../test/servers/graphql-caller.ts"
import type { GraphQLCaller, GraphQLGiven } from "../../../../test/servers/graphql-caller.ts"
import type { ToolResult } from "../../../core/result.ts"
import type { ListedTools } from "../../source-adapter.ts"

let server: GraphQLServer
let caller: GraphQLCaller
let listed: ListedTools

beforeAll(async () => {
  server = await startGraphQL()
  caller = startGraphQLCaller()
  listed = await caller.list({ endpoint: server.endpoint })
})
beforeEach(() => {
  server.ledger.length = 0
})
afterAll(() => Promise.all([server.close(), caller.close()]))

const call = (name: string, args: Record<string, unknown> = {}, given?: GraphQLGiven): Promise<ToolResult> =>
  caller.call({ endpoint: server.endpoint }, listed, name, args, given)

const sent = (): SeenOperation => {
  expect(server.ledger).toHaveLength(1)
  return server.ledger[0] as SeenOperation // just counted
}

async function refused(name: string, args: Record<string, unknown>): Promise<string> {
  const result = await call(name, args)
  expect(result).toMatchObject({ ok: false, error: { code: "invalid_arguments", details: { issues: [{ code: "invalid_value" }] } } })
  expect(server.ledger).toEqual([])
  return result.ok ? "" : result.error.message
}

describe("a helper", () => {
  it("answers what the server sent", async () => {
    const result = await call("query.viewer")
    expect(result).toMatchObject({
      ok: true,
      data: {
        data: { viewer: { id: "u1", name: "Ada", matrix: [[1, 2], [3]], reports: [{ id: "u2" }], posts: { nodes: [{ title: "Hello" }] } } },
      },
      http: { status: 200 },
    })
    expect(result.ok && Object.keys(result.data as object)).toEqual(["data"])
  })
  it("sends what is given as variables, and leaves the rest to the server", async () => {
    expect(await call("query.users", { filter: { role: "MEMBER" } })).toMatchObject({ data: { data: { users: [{ name: "Bob" }] } } })
    expect(sent()).toMatchObject({ variables: { filter: { role: "MEMBER" } }, operationName: "users" })
    expect(sent().query).toContain("query users($filter: UserFilter) { users(filter: $filter) { id")
  })
  it("takes a oneOf input", async () => {
    expect(await call("query.user", { by: { name: "Bob" } })).toMatchObject({
      data: { data: { user: { id: "u2", manager: { name: "Ada" } } } },
    })
  })
  it("runs a mutation", async () => {
    const input = { title: "News", tags: ["a"], meta: { deep: [1] } }
    expect(await call("mutation.createPost", { input })).toMatchObject({ data: { data: { createPost: { post: { title: "News" } } } } })
    expect(server.created.at(-1)).toMatchObject(input)
  })
  it.each([
    [
      "query.search",
      { text: "x" },
      { search: [{ __typename: "User", name: "Ada" }, { __typename: "Post" }, { __typename: "Comment", state_Comment: "OPEN" }] },
    ],
    ["query.node", { id: "u2" }, { node: { __typename: "User", id: "u2" } }],
    ["query.people", {}, { people: { edges: [{ node: { name: "Ada" } }], pageInfo: { hasNextPage: false } } }],
    ["query.constructor", {}, { constructor: "built" }],
    ["query.count", {}, { count: 3 }],
    ["query.weird", { weird: { any: [1] } }, { weird: { any: [1] } }],
  ])("%s works untold", async (name, args, data) => {
    expect(await call(name, args)).toMatchObject({ ok: true, data: { data } })
  })
  it("answers partial data as a success, errors beside it", async () => {
    expect(await call("query.partial")).toMatchObject({
      ok: true,
      data: { data: { partial: { fine: "yes", bad: null } }, errors: [{ message: "The bad half", path: ["partial", "bad"] }] },
    })
  })
  it("fails with the first error when there is no data", async () => {
    expect(await call("query.broken")).toMatchObject({
      ok: false,
      error: { code: "upstream_error", message: "All of it is broken", details: { errors: [{ path: ["broken"] }] } },
    })
  })
})

describe("select", () => {
  it("replaces the selection", async () => {
    expect(await call("query.viewer", { select: "{ id posts(first: 1) { totalCount } }" })).toMatchObject({
      data: { data: { viewer: { id: "u1", posts: { totalCount: 1 } } } },
    })
    expect(sent().query.replaceAll(/\s+/g, " ")).toBe("query viewer { viewer { id posts(first: 1) { totalCount } } }")
  })
  it.each([
    ["query.viewer", "id name"],
    ["query.viewer", "{ id } # and no more"],
    ["query.viewer", "# first { this\n , # then that\r\n{ id }"],
    ["query.viewer", "# only a comment before\nid name"],
    ["query.node", "{ id ... on User { friend(id: $id) { name } } }"],
    ["query.viewer", "{ ... on User { id } ... on Node { id } ...@include(if: true) { name } __typename }"],
    ["query.viewer", '{ friend(id: "u1") { manager { manager { reports { id } } } } avatar(size: 3) }'],
    ["query.search", "{ __typename ... on Post { title related { ... on User { id } ... on Named { name } } } ... on Node { id } }"],
    ["query.node", "{ id ... on Named { name } ... on Comment { body } }"],
  ])("may be anything that fits: %s %s", async (name, select) => {
    expect(await call(name, { text: "x", id: "u2", select })).toMatchObject({ ok: true })
  })
  it.each([
    ["query.viewer", "{ nam }", /Cannot query field "nam" on type "User". Did you mean "name"/],
    ["query.viewer", "{ manager }", /must have a selection of subfields/],
    ["query.viewer", "{ id { x } }", /must not have a selection/],
    ["query.viewer", "{ friend { id } }", /of type "ID!" is required/],
    ["query.viewer", '{ avatar(size: "big") }', /Int cannot represent/],
    ["query.viewer", "{ avatar(size: 1, shape: 2) }", /Unknown argument "shape"/],
    ["query.viewer", "{ ... on Post { id } }", /can never be of type "Post"/],
    ["query.viewer", "{ ... on Nothing { id } }", /Unknown type "Nothing"/],
    ["query.viewer", "{ avatar(size: $size) }", /Variable "\$size" is not defined/],
    ["query.posts", "{ nodes { id author { posts(first: $first) { totalCount } } } }", /Variable "\$first" is not defined/, "select_"],
    ["query.viewer", "# a ".repeat(2_000), /Syntax Error/],
    ["query.viewer", "{ id } } mutation { deletePost(id: 1)", /Syntax Error|one selection set/],
    ["query.viewer", "{ id } fragment F on User { id }", /one selection set/],
    ["query.viewer", "mutation { deletePost(id: 1) }", /Cannot query field "mutation"/],
    ["query.viewer", "{ ...F }", /Unknown fragment "F"/],
    ["query.viewer", "{", /Syntax Error/],
    ["query.viewer", "   ", /Syntax Error/],
    ["query.viewer", "{ __proto__ constructor }", /Cannot query field "__proto__"/],
    ["query.viewer", `{ ${"id ".repeat(3_000)} }`, /tokens/],
    ["query.viewer", `${"{a".repeat(300)}${"}".repeat(300)}`, /more than 30 levels deep/],
  ])("is refused before anything is sent (%#)", async (name, select, message, arg = "select") => {
    expect(await refused(name, { [arg]: select })).toMatch(message)
  })
  it("makes room for an argument of that name", async () => {
    expect(await call("query.posts", { select: "an argument", select_: "{ totalCount }" })).toMatchObject({
      data: { data: { posts: { totalCount: 1 } } },
    })
    expect(sent().variables).toEqual({ select: "an argument" })
  })
})

describe("the raw tool", () => {
  it("sends what it is given", async () => {
    const query = "query Two($n: Int!) { viewer { id } count users(limit: $n) { name } } query Other { count }"
    expect(await call("graphql", { query, variables: { n: 1 }, operationName: "Two" })).toMatchObject({
      ok: true,
      data: { data: { viewer: { id: "u1" }, count: 3, users: [{ name: "Ada" }] } },
    })
    expect(sent()).toMatchObject({ query: query.slice(0, query.indexOf(" query Other")), variables: { n: 1 }, operationName: "Two" })
  })
  it("takes nulls for what is not given", async () => {
    expect(await call("graphql", { query: "{ count }", variables: null, operationName: null })).toMatchObject({ ok: true })
  })
  it.each([
    ["subscription { ticks }", {}, "Subscriptions are not supported"],
    ["query A { count } subscription B { ticks }", { operationName: "B" }, "Subscriptions are not supported"],
    ["query A { count } query B { count }", {}, "name one of them"],
    ["query A { count }", { operationName: "C" }, "no operation 'C'"],
    ["fragment F on User { id }", {}, "no operation"],
    ["{ count", {}, "Syntax Error"],
    ["", {}, "Syntax Error"],
    ["{a".repeat(20_000), {}, "nested too deeply"],
  ])("refuses %s", async (query, more, message) => {
    expect(await refused("graphql", { query, ...more })).toContain(message)
  })
  it("says what the server says of a document that is wrong", async () => {
    expect(await call("graphql", { query: "{ nope }" })).toMatchObject({
      ok: false,
      error: { code: "upstream_error", status: 400, message: expect.stringContaining('"nope"') },
    })
  })
})

describe("credentials", () => {
  const headersOf = (): Readonly<Record<string, string>> => sent().headers
  it("go where their placements say, over what the config says", async () => {
    const placements = [
      { in: "header", name: "Authorization", value: "Bearer s3cret" },
      { in: "cookie", name: "sid", value: "1" },
      { in: "query", name: "key", value: "k y" },
    ] as const
    await caller.call(
      { endpoint: `${server.endpoint}?a=1`, headers: { Authorization: "Basic x", "X-Own": "grün", Cookie: "b=2" } },
      listed,
      "query.count",
      {},
      { placements },
    )
    expect(headersOf()).toMatchObject({ authorization: "Bearer s3cret", cookie: "b=2; sid=1", "content-type": "application/json" })
    expect(headersOf()["accept"]).toContain("application/graphql-response+json")
  })
  it("and everything else stay here when the origin is not confirmed", async () => {
    const result = await call("query.count", {}, { origins: ["https://elsewhere.example"] })
    expect(result).toMatchObject({ ok: false, error: { code: "auth_required" } })
    expect(server.ledger).toEqual([])
  })
})
