// What tools a schema gives: their names, facts, schemas, and the operations they send.
import { schema as github } from "@octokit/graphql-schema"
import { buildSchema, introspectionFromSchema, parse, validate } from "graphql"
import { beforeAll, describe, expect, it } from "vitest"
import { prepareArgsCheck } from "../../../arguments/check.ts"
import { printToolTypes } from "../../../typescript/tool-types.ts"
import { wideTypeDefs } from "../../../../test/servers/graphql.ts"
import { typeDefs } from "../../../../test/servers/graphql-schema.ts"
import type { Compiled } from "../testing/compile.ts"
import { compileText, operationsOf } from "../testing/compile.ts"

/** As `select` has them: no one has seen one of them fail. */
function expectValid({ tools, schema }: Compiled): void {
  const wrong = tools.flatMap((tool) =>
    operationsOf(tool).flatMap((operation) =>
      validate(schema, parse(operation)).map((error) => `${tool.name}: ${error.message} in ${operation}`),
    ),
  )
  expect(wrong).toEqual([])
}

let sample: Compiled
beforeAll(() => {
  sample = compileText(typeDefs)
})
const names = (compiled: Compiled): string[] => compiled.tools.map((tool) => tool.name)

describe("every operation is valid", () => {
  it("over unions, interfaces, circles, lists and scalars", () => expectValid(sample))
  it("over 3,000 fields", () => {
    const wide = compileText(wideTypeDefs(3_000))
    expect(wide.tools).toHaveLength(3_002)
    expectValid(wide)
  })
  it("over GitHub's schema", () => {
    const compiled = compileText(github.idl)
    expect(compiled.tools.length).toBeGreaterThan(250)
    expectValid(compiled)
    for (const tool of compiled.tools) expect(tool.binding.length).toBeLessThan(16_000)
  })
})

describe("tools", () => {
  it("are named after fields", () => {
    expect(names(sample)).toEqual(
      expect.arrayContaining(["graphql", "query.viewer", "query.Page", "query.constructor", "query.then_", "mutation.createPost"]),
    )
    expect(names(sample).some((name) => name.includes("ticks"))).toBe(false)
  })
  it("keep `then` and `then_` apart, and cut long names", () => {
    const long = "x".repeat(300)
    const compiled = compileText(`type Query { then: Int then_: Int ${long}: Int }`)
    expect(names(compiled)).toEqual([
      "graphql",
      expect.stringMatching(/^query\.then__[0-9a-f]{8}$/),
      "query.then_",
      expect.stringMatching(/^query\.x+_[0-9a-f]{8}$/),
    ])
    expect(compiled.binding(names(compiled)[1] ?? "").field).toBe("then")
  })
  it("say what they do", () => {
    expect(sample.tool("query.viewer")).toMatchObject({
      title: "Viewer",
      summary: "Who is asking",
      description: expect.stringMatching(/^Who is asking\n\nSelectable of User: id, name, .*posts\(first, after\) \{ … \}/),
      effect: "read",
      requiresApproval: false,
      deprecated: false,
    })
    expect(sample.tool("mutation.createPost")).toMatchObject({
      title: "Create Post",
      effect: "write",
      requiresApproval: true,
      approvalDescription: "mutation createPost",
    })
    expect(sample.tool("query.old")).toMatchObject({ deprecated: true, summary: "Deprecated: Use viewer" })
    expect(sample.tool("graphql")).toMatchObject({ effect: "write", requiresApproval: true })
  })
})

describe("arguments", () => {
  it("are typed by the schema", () => {
    expect(sample.input("query.users")).toMatchObject({
      type: "object",
      properties: { filter: { anyOf: [{ $ref: "#/$defs/UserFilter" }, { type: "null" }] }, limit: { type: "integer", default: 10 } },
      additionalProperties: false,
    })
    expect(sample.input("query.users")).not.toHaveProperty("required")
    expect(sample.input("query.search")["required"]).toEqual(["text"])
    expect(sample.definition("UserFilter")).toMatchObject({
      properties: {
        role: { default: "MEMBER" },
        and: { type: ["array", "null"], items: { $ref: "#/$defs/UserFilter" } },
        old: { deprecated: true, description: "Deprecated: Use since" },
      },
    })
    expect(sample.definition("PostInput")).toMatchObject({ required: ["title"], properties: { tags: { type: "array", default: ["new"] } } })
  })
  it("say what enums and scalars hold", () => {
    expect(sample.definition("Role")).toMatchObject({
      enum: ["ADMIN", "MEMBER", "GUEST"],
      description: expect.stringContaining("GUEST: Deprecated: Nobody is"),
    })
    expect(sample.definition("DateTime")).toEqual({ description: expect.stringContaining("andimarek") })
    expect(sample.definition("Weird")).toEqual({ description: expect.any(String) })
  })
  it.each([
    [{ by: { id: "u1" } }, true],
    [{ by: { id: 7 } }, true],
    [{ by: { name: "Ada" } }, true],
    [{ by: { id: "u1", name: "Ada" } }, false],
    [{ by: {} }, false],
    [{ by: { id: null } }, false],
    [{}, false],
    [{ by: { id: "u1" }, select: "{ id }" }, true],
    [{ by: { id: "u1" }, selects: "{ id }" }, false],
  ])("of a oneOf input: %j → %s", (args, ok) => {
    const check = prepareArgsCheck(sample.input("query.user"), (name) => sample.definition(name))
    expect(check.check(args).ok).toBe(ok)
  })
  it("may be called select", () => {
    expect(Object.keys(sample.input("query.posts")["properties"] as object)).toEqual(["first", "select", "select_"])
    expect(sample.binding("query.posts").selection?.arg).toBe("select_")
  })
  it("have no select where there is nothing to select", () => {
    expect(sample.input("query.count")).toEqual({ type: "object", properties: {}, additionalProperties: false })
  })
})

describe("selections", () => {
  const selection = (name: string): string => sample.binding(name).selection?.text ?? ""
  it("take plain values and one level of objects, without what is deprecated or wants arguments", () => {
    expect(selection("query.viewer")).toBe(
      "{ id name role createdAt settings matrix manager { id name role createdAt settings matrix } reports { id name role createdAt settings matrix } posts(first: 10) { totalCount nodes { id name title state } pageInfo { hasNextPage endCursor } } }",
    )
  })
  it("see through connections", () => {
    expect(selection("query.posts")).toMatch(
      /^\{ totalCount nodes \{ id name title state author \{ id .* pageInfo \{ hasNextPage endCursor \} \}$/,
    )
    expect(selection("query.people")).toMatch(/^\{ edges \{ node \{ id name .* \} \} pageInfo/)
  })
  it("name types, and keep apart what has one name and two types", () => {
    expect(selection("query.search")).toBe(
      "{ __typename ... on User { id name role createdAt settings matrix } ... on Post { id name title state } ... on Comment { id title_Comment: title state_Comment: state body } }",
    )
    expect(selection("query.named")).toBe(
      "{ __typename id name ... on User { role createdAt settings matrix } ... on Post { title state } }",
    )
  })
  it("are never empty and never circular", () => {
    expect(selection("query.locked")).toBe("{ __typename }")
    expect(selection("query.loop")).toBe("{ __typename }")
  })
  it("are described as types", () => {
    const types = printToolTypes({
      inputSchema: sample.input("query.search"),
      outputSchema: sample.output("query.search"),
      definitions: new Map([...sample.definitions.keys()].map((name) => [name, sample.definition(name)])),
    })
    const text = JSON.stringify(types)
    expect(types.outputTypeScript).toContain("search: SearchResult[]")
    expect(text).toContain('__typename: \\"Post\\"')
    expect(text).not.toContain("graphql.User")
  })
})

describe("an introspection", () => {
  it("gives the same tools as the SDL it came from", () => {
    const schema = buildSchema(typeDefs)
    const text = JSON.stringify({ data: introspectionFromSchema(schema) })
    const compiled = compileText(text)
    expect(compiled.tools).toEqual(sample.tools)
    expect(new Map(compiled.definitions)).toEqual(new Map(sample.definitions))
  })
})
