// Tests the styles against the table of examples in the OpenAPI specification (3.1.1, section 4.8.12.6).
import { describe, expect, it } from "vitest"
import type { ParameterStyle } from "../binding.ts"
import { encodeName, encodeReserved, encodeValue } from "./serialize-encode.ts"
import { expand, pairsOf } from "./serialize-style.ts"

const values = { empty: "", string: "blue", array: ["blue", "black", "brown"], object: { R: 100, G: 200, B: 150 } }

type Row = readonly [ParameterStyle, boolean, { [Kind in keyof typeof values]?: string }]

const pathRows: readonly Row[] = [
  ["matrix", false, { empty: ";color", string: ";color=blue", array: ";color=blue,black,brown", object: ";color=R,100,G,200,B,150" }],
  ["matrix", true, { empty: ";color", string: ";color=blue", array: ";color=blue;color=black;color=brown", object: ";R=100;G=200;B=150" }],
  ["label", false, { empty: ".", string: ".blue", array: ".blue,black,brown", object: ".R,100,G,200,B,150" }],
  ["label", true, { empty: ".", string: ".blue", array: ".blue.black.brown", object: ".R=100.G=200.B=150" }],
  ["simple", false, { empty: "", string: "blue", array: "blue,black,brown", object: "R,100,G,200,B,150" }],
  ["simple", true, { empty: "", string: "blue", array: "blue,black,brown", object: "R=100,G=200,B=150" }],
]

const queryRows: readonly Row[] = [
  ["form", false, { empty: "color=", string: "color=blue", array: "color=blue,black,brown", object: "color=R,100,G,200,B,150" }],
  ["form", true, { empty: "color=", string: "color=blue", array: "color=blue&color=black&color=brown", object: "R=100&G=200&B=150" }],
  ["spaceDelimited", false, { array: "color=blue%20black%20brown", object: "color=R%20100%20G%20200%20B%20150" }],
  ["pipeDelimited", false, { array: "color=blue%7Cblack%7Cbrown", object: "color=R%7C100%7CG%7C200%7CB%7C150" }],
  ["deepObject", true, { object: "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150" }],
]

const query = (style: ParameterStyle, explode: boolean, value: unknown, encode = encodeValue): string =>
  pairsOf({ name: "color", style, explode }, value, encode, encodeName)
    .map(({ text }) => text)
    .join("&")

describe("the examples of the specification", () => {
  const cases = (rows: readonly Row[]): [ParameterStyle, boolean, unknown, string][] =>
    rows.flatMap(([style, explode, expected]) =>
      Object.entries(expected).map(([kind, text]): [ParameterStyle, boolean, unknown, string] => [
        style,
        explode,
        Object.entries(values).find(([name]) => name === kind)?.[1],
        text,
      ]),
    )
  it.each(cases(pathRows))("%s explode=%s %j", (style, explode, value, text) =>
    expect(expand({ name: "color", style, explode }, value, encodeValue)).toBe(text),
  )
  it.each(cases(queryRows))("%s explode=%s %j", (style, explode, value, text) => expect(query(style, explode, value)).toBe(text))
})

describe("what the specification leaves open", () => {
  it.each<[ParameterStyle, boolean, unknown, string]>([
    ["form", true, null, ""],
    ["form", true, undefined, ""],
    ["form", true, [], ""],
    ["form", true, {}, ""],
    ["form", false, [null, "a", null], "color=a"],
    ["form", true, { a: null, b: 1 }, "b=1"],
    ["form", true, false, "color=false"],
    ["form", true, 0, "color=0"],
    ["form", true, -1.5e21, "color=-1.5e%2B21"],
    ["form", false, ["a,b", "c&d"], "color=a%2Cb,c%26d"],
    ["form", true, [{ a: 1 }, [2]], "color=%7B%22a%22%3A1%7D&color=%5B2%5D"],
    ["form", true, { "a&b": "c=d" }, "a%26b=c%3Dd"],
    ["spaceDelimited", true, ["a", "b"], "color=a&color=b"],
    ["pipeDelimited", true, ["a", "b"], "color=a&color=b"],
    ["pipeDelimited", false, "a|b", "color=a%7Cb"],
    ["deepObject", true, { a: { b: [1, { c: 2 }], d: null } }, "color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=2"],
    ["deepObject", true, ["x"], "color%5B0%5D=x"],
    ["deepObject", true, "x", "color=x"],
  ])("%s explode=%s %j is %j", (style, explode, value, text) => expect(query(style, explode, value)).toBe(text))

  it("has nothing to expand where there is nothing", () => {
    for (const value of [null, undefined, [], {}, [null], { a: null }])
      expect(expand({ name: "x", style: "simple", explode: false }, value, encodeValue)).toBeNull()
  })
})

describe("encoding", () => {
  it("escapes everything but unreserved characters in values", () => {
    expect(encodeValue("AZaz09-._~")).toBe("AZaz09-._~")
    expect(encodeValue(":/?#[]@!$&'()*+,;= %ü\u0000")).toBe("%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%20%25%C3%BC%00")
    expect(encodeValue("\ud800")).toBe("%EF%BF%BD")
  })

  it("keeps reserved characters and escapes where the document allows them, but none that ends the value", () => {
    expect(query("form", true, "a:/?@!$'()*,;=b%20c", encodeReserved)).toBe("color=a:/?@!$'()*,;=b%20c")
    expect(query("form", true, "a&admin=1#x+[]100% %zz", encodeReserved)).toBe("color=a%26admin=1%23x%2B%5B%5D100%25%20%25zz")
  })

  it("keeps names readable that upstreams compare as they are", () => {
    expect(encodeName("$filter")).toBe("$filter")
    expect(encodeName("filter[a]&b=c")).toBe("filter%5Ba%5D%26b%3Dc")
  })
})
