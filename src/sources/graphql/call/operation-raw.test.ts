// What a caller's own operation does, as far as its text proves it; and that what is sent is what was judged.
import { parse } from "graphql"
import { describe, expect, it } from "vitest"
import { rawOperation } from "./operation-raw.ts"

const limits = { graphqlOperationTokensMax: 1000 }
const binding = { kind: "raw", queriesRead: true } as const
const read = (query: unknown, rest: Record<string, unknown> = {}) => rawOperation(binding, { query, ...rest }, limits)

async function effectOf(query: unknown, rest: Record<string, unknown> = {}): Promise<string> {
  const operation = await read(query, rest)
  return "arg" in operation ? "refused" : operation.effect
}

describe("a query", () => {
  it.each([
    ["{ a }", {}],
    ["query { a }", {}],
    ["query A($n: Int!) @live { a(n: $n) ...F @defer } fragment F on Query { b }", { variables: { n: 1 } }],
    ["query A { a } mutation B { b }", { operationName: "A" }],
    ["# mutation { b }\n{ a }", {}],
    ["\uFEFF{ a }", {}],
    ['{ a(text: "mutation { b }") }', { operationName: null }],
    ["query mutation { mutation: query }", { operationName: "mutation" }],
  ])("reads: %j", async (query, rest) => {
    expect(await effectOf(query, rest)).toBe("read")
  })
  it("writes where the schema lets queries run mutations, and where nothing is known of that", async () => {
    for (const known of [{ queriesRead: false }, {}])
      expect(await rawOperation({ kind: "raw", ...known }, { query: "{ a }" }, limits)).toMatchObject({ effect: "write" })
  })
})

describe("anything else", () => {
  it.each([
    ["mutation { b }", {}, "write"],
    ["query A { a } mutation B { b }", { operationName: "B" }, "write"],
    ["subscription { c }", {}, "refused"],
    ["query A { a } subscription B { b }", { operationName: "B" }, "refused"],
    ["query A { a } mutation B { b }", {}, "refused"],
    ["query A { a } mutation B { b }", { operationName: null }, "refused"],
    ["query A { a } mutation B { b }", { operationName: "" }, "refused"],
    ["query A { a }", { operationName: "" }, "refused"],
    ["query A { a }", { operationName: "B" }, "refused"],
    ["query A { a } mutation A { b }", { operationName: "A" }, "refused"],
    ["mutation A { b } query A { a }", { operationName: "A" }, "refused"],
    ["query A { a } mutation { b }", { operationName: "" }, "refused"],
    ["{ a } extend type Query { b: Int }", {}, "refused"],
    ["fragment F on Query { a }", {}, "refused"],
    ["{ a", {}, "refused"],
    ["", {}, "refused"],
    ["QUERY { a }", {}, "refused"],
    ["query\u0000 { a }", {}, "refused"],
    ["query\u00A0{ a }", {}, "refused"],
    [["{ a }", "mutation { b }"], {}, "refused"],
    [{ toString: "{ a }" }, {}, "refused"],
    [undefined, {}, "refused"],
    [`{ ${"a ".repeat(1000)} }`, {}, "refused"],
    [`${"{a".repeat(300)}${"}".repeat(200)}`, {}, "refused"],
  ])("is no read: %j %j", async (query, rest, expected) => {
    expect(await effectOf(query, rest)).toBe(expected)
  })
  it("is refused when it is nested deeper than can be read", async () => {
    const depth = 100_000
    const query = `${"{a".repeat(depth)}${"}".repeat(depth)}`
    expect(await rawOperation(binding, { query }, { graphqlOperationTokensMax: 10 * depth })).toMatchObject({ arg: "query" })
  })
})

describe("what is sent", () => {
  const sent = async (query: string, rest: Record<string, unknown> = {}): Promise<string> => {
    const operation = await read(query, rest)
    return "arg" in operation ? operation.message : operation.operation.query
  }
  it("is the text as it was written, where nothing can be read in two ways", async () => {
    const query = 'query A(\n  $n: Int!\n) {\n  a(n: $n, s: "x")\n}'
    expect(await sent(query)).toBe(query)
  })
  it("is the chosen operation with its own fragments", async () => {
    const query = "query A { a ...F } mutation B { b ...G } fragment F on Q { ...H } fragment G on M { c } fragment H on Q { d }"
    const text = await sent(query, { operationName: "A" })
    expect(text).toBe("query A { a ...F } fragment F on Q { ...H } fragment H on Q { d }")
  })
  it("has no comments, in which another reader could see a line's end", async () => {
    expect(await sent("#\u2028mutation\n{ deleteAll } # \u0085 mutation")).toBe("{ deleteAll }")
    expect(await sent('{ a(s: "# no comment") # one\n b }')).toBe('{ a(s: "# no comment") b }')
  })
  it("has no block strings, which older readers end at their third quote", async () => {
    const query = '{ a(s: """ ") { x } } mutation { b(s: \\"""é\n  "quoted" """) }'
    const text = await sent(query)
    expect(text).not.toContain('"""')
    const valueIn = (document: string): unknown =>
      JSON.stringify(parse(document, { noLocation: true })).match(/"value":"[^}]*?","block/)?.[0]
    expect(valueIn(text)).toBe(valueIn(query))
  })
  it("has nothing but the three fields of a request", async () => {
    const operation = await read("{ a }", { variables: null, operationName: null, extensions: { persistedQuery: {} }, id: "x" })
    expect(operation).toEqual({ effect: "read", operation: { query: "{ a }" } })
  })
})
