// Default selections over schemas that no one would write: each is accepted by the schema it was made for, and runs no mutation.
import fc from "fast-check"
import { parse, validate } from "graphql"
import { expect, it } from "vitest"
import { compileText, operationsOf } from "../testing/compile.ts"

function problemsOf(sdl: string): string[] {
  const { tools, schema } = compileText(sdl)
  return tools.flatMap((tool) =>
    operationsOf(tool).flatMap((operation) => validate(schema, parse(operation)).map((error) => `${error.message} in ${operation}`)),
  )
}

it.each([
  "type Query { xs: Page } type Page { nodes: [X] pageInfo(verbose: Boolean!): Info } type X { id: ID } type Info { a: Int }",
  "type Query { u: U } union U = B | A type B { x: String } type A { x: Int x_A: Int }",
  "type Query { u: U } union U = B | A type B { x: String } type A { x_A: Int x: Int }",
  "type Query { i: I } interface I { x_A: Int id: ID } type B implements I { x_A: Int id: ID x: String } type A implements I { x_A: Int id: ID x: Int }",
])("is valid over %s", (sdl) => {
  expect(problemsOf(sdl)).toEqual([])
})

const objects = ["A", "B", "C", "Page"]
const named = fc.constantFrom(...objects, "I", "U", "V", "E", "Int", "String", "ID")
const type = fc.tuple(named, fc.constantFrom("T", "T!", "[T]", "[T!]!", "[[T!]]")).map(([name, form]) => form.replace("T", name))
const args = fc.constantFrom("", "", "", "(first: Int)", "(first: Int! = 3)", "(a: Int!)", "(first: [Int!]!, after: String)")
const fieldName = fc.constantFrom("id", "x", "y", "x_A", "x_B", "x_A_A", "nodes", "edges", "node", "pageInfo", "name")
const fields = fc.dictionary(fieldName, fc.tuple(args, type, fc.constantFrom("", "", " @deprecated")), { maxKeys: 7 })
type Fields = Record<string, [string, string, string]>

const print = (all: Fields): string =>
  Object.entries(all)
    .map(([name, [given, of, note]]) => `${name}${given}: ${of}${note}`)
    .join(" ")

const schemas = fc
  .tuple(fields, fields, fc.array(fields, { minLength: 4, maxLength: 4 }), fc.subarray(objects, { minLength: 1 }), fc.subarray(objects))
  .map(([query, shared, own, members, implementing]) => {
    const types = objects.map((name, at) => {
      const isMember = implementing.includes(name)
      const all = {
        ...own[at],
        ...(isMember ? { ...shared, is: ["", "Int", ""] } : {}),
        own: ["", at % 2 === 0 ? "Int" : "String", ""],
      } as Fields // each is a triple
      return `type ${name}${isMember ? " implements I" : ""} { ${print(all)} }`
    })
    return [
      `type Query { ${print(query)} a: A i: I u: U v: V page: Page }`,
      `interface I { ${print(shared)} is: Int }`,
      `union U = ${members.join(" | ")} union V = ${members.toReversed().join(" | ")} enum E { ONE TWO }`,
      ...types,
    ].join("\n")
  })

it("is valid over whatever schema", () => {
  fc.assert(
    fc.property(schemas, (sdl) => {
      expect(problemsOf(sdl)).toEqual([])
    }),
    { numRuns: 150 },
  )
})

it("never runs a mutation as a query", () => {
  const compiled = compileText(`
    type Query { m: Mutation many: [Mutation!]! either: U by: I user: User viewer: User }
    type Mutation implements I { wipe: Boolean id: ID }
    type User { id: ID act: Mutation acts: U }
    interface I { id: ID }
    union U = User | Mutation`)
  expect(compiled.tools.map((tool) => tool.name)).toEqual(["graphql", "query.user", "query.viewer", "mutation.wipe", "mutation.id"])
  expect(compiled.warnings.list().map((warning) => warning.location)).toEqual(["query.m", "query.many", "query.either", "query.by"])
  expect(compiled.binding("query.user").selection?.text).toBe("{ id }")
  // What is not in the entry cannot be selected.
  expect(compiled.definition("graphql.User")).toMatchObject({ fields: [["id", "ID"]] })
  expect(compiled.tool("query.user").description).not.toContain("act")
})

it("asks for approval where one type has the queries and the mutations", () => {
  const compiled = compileText("schema { query: Q mutation: Q } type Q { wipe: Int }")
  expect(compiled.tool("query.wipe")).toMatchObject({ effect: "write", requiresApproval: true })
})

it.each(["Date", "Duration", "Money", "BigInt", "JSONObject", "URL"])("leaves the form of %s to its server", (name) => {
  const compiled = compileText(`scalar ${name} type Query { at(value: ${name}): ${name} }`)
  expect(Object.keys(compiled.definition(name))).toEqual(["description"])
})
