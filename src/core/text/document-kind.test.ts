// Documents of both languages in the shapes that people keep them in.
import { expect, test } from "vitest"
import { kindOfDocument } from "./document-kind.ts"

const paths = "paths:\n  /x:\n    get:\n      parameters:\n        - name: q\n          schema:\n            type: string\n"

test.each([
  ["YAML with schemas near its beginning", `openapi: 3.0.0\ninfo:\n  title: A\n${paths}`],
  ["comments before its version", `# type Query {\n# schema\n---\nopenapi: 3.1.0\n${paths}`],
  ["a quoted key", `"openapi": "3.0.3"\n${paths}`],
  ["a key in single quotes", `'swagger' : '2.0'\n${paths}`],
  ["other keys first", `components:\n  schemas:\n    A:\n      type: object\ninfo:\n  title: A\n${paths}swagger: "2.0"\n`],
  ["Windows line breaks", `info:\r\n  title: A\r\nschema:\r\n  type: x\r\nopenapi: 3.0.0\r\n`],
  ["a description that quotes GraphQL", `openapi: 3.0.0\ninfo:\n  description: |\n    type Query {\n      a: Int\n    }\n`],
  ["no version at all", `info:\n  title: A\n${paths}`],
  ["keys that GraphQL has as words", "type: object\nschema: {}\nenum : []\ninput:\n  type A: x\n"],
  ["all of it indented", `  openapi: 3.0.0\n  schema:\n    type: x\n`],
  ["JSON", '{ "info": {}, "type": 1,\n"schema": {},\n"openapi": "3.1.0" }'],
  ["JSON that speaks of introspection", '{ "openapi": "3.1.0", "info": { "title": "\\"__schema\\"" } }'],
  ["YAML in flow style", "{ openapi: 3.0.0, paths: {} }"],
  ["nothing", ""],
])("OpenAPI: %s", (_name, text) => {
  expect(kindOfDocument("document", text)).toBe("openapi")
})

test.each([
  ["types", "type Query {\n  a: Int\n}\n"],
  ["a description first", '"""\nAn API.\n"""\ntype Query { a: Int }\n'],
  ["a short description first", '"All of it."\nschema { query: Q }\n'],
  ["comments first", '# openapi of old\n\nschema @link(url: "x") {\n  query: Q\n}\n'],
  ["a brace on the next line", "type Query\n{\n  a: Int\n}\n"],
  ["a directive", "directive @a on FIELD\n"],
  ["an extension", "extend type Query { a: Int }\n"],
  ["a field called openapi", "type Query {\n  openapi: String\n  swagger: Int\n}\n"],
  ["an interface of another", "interface A implements B & C {\n  id: ID\n}\n"],
  ["a scalar", "scalar Date\n"],
  ["an introspection result", '{ "data": { "__schema": { "types": [] } } }'],
  ["the data of one", '{ "__schema": { "types": [] } }'],
])("GraphQL: %s", (_name, text) => {
  expect(kindOfDocument("-", text)).toBe("graphql")
})

test.each(["schema.graphql", "a.GQL", "b.graphqls"])("the name %s says it", (name) => {
  expect(kindOfDocument(name, "openapi: 3.0.0")).toBe("graphql")
})
