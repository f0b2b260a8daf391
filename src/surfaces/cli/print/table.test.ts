// Tables fit the terminal, keep identifiers whole, and are whole elsewhere.
import { describe, expect, test } from "vitest"
import { formatTable } from "./table.ts"
import type { Column } from "./table.ts"
import { fitText, textWidth } from "./width.ts"

type Row = { id: string; what: string }
const columns: readonly Column<Row>[] = [
  { title: "ID", value: (row) => row.id, keeps: true },
  { title: "WHAT", value: (row) => row.what },
]
const plain = { columns: null, heading: (text: string) => text }
const rows = [
  { id: "github.org.main.repos.get", what: "Get a repository, with all that belongs to it\nand more" },
  { id: "a", what: "日本語の説明 is wide" },
]

test("elsewhere nothing is cut", () => {
  expect(formatTable(columns, rows, plain)).toBe(
    [
      "ID                         WHAT",
      "github.org.main.repos.get  Get a repository, with all that belongs to it and more",
      "a                          日本語の説明 is wide",
    ].join("\n"),
  )
})

test.each([80, 60, 40, 36])("on a terminal of %i columns no line is longer", (width) => {
  const lines = formatTable(columns, rows, { ...plain, columns: width }).split("\n")
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
})

test("identifiers are never cut", () => {
  const at = (width: number): string => formatTable(columns, rows, { ...plain, columns: width }).split("\n")[1] ?? ""
  expect(at(40)).toBe("github.org.main.repos.get  Get a reposi…")
  expect(at(18)).toBe("github.org.main.repos.get  Get a r…")
})

test("an identifier that breaks stands whole below its row where the table is too wide, and beside it elsewhere", () => {
  const breaking: readonly Column<Row>[] = [{ title: "ID", value: (row) => row.id, keeps: true, breaks: true }, ...columns.slice(1)]
  expect(formatTable(breaking, rows, { ...plain, columns: 24 })).toBe(
    ["WHAT", "  ID", "Get a repository, with…", "  github.org.main.repos.get", "日本語の説明 is wide", "  a"].join("\n"),
  )
  for (const width of [null, 200]) expect(formatTable(breaking, rows, { ...plain, columns: width })).toBe(formatTable(columns, rows, plain))
})

test("what breaks shares a line where it fits", () => {
  const three: readonly Column<Row>[] = [
    { title: "ID", value: (row) => row.id, breaks: true },
    { title: "WHAT", value: (row) => row.what },
    { title: "WHEN", value: () => "today", breaks: true },
  ]
  const [row] = rows
  const at = (width: number): string[] => formatTable(three, row === undefined ? [] : [row], { ...plain, columns: width }).split("\n")
  expect(at(34)).toEqual([
    "WHAT",
    "  ID                         WHEN",
    "Get a repository, with all that b…",
    "  github.org.main.repos.get  today",
  ])
  expect(at(33).slice(3)).toEqual(["Get a repository, with all that…", "  github.org.main.repos.get", "  today"])
})

test("hostile cells are escaped before they are measured", () => {
  const text = formatTable(columns, [{ id: "\u001b[2Jx", what: "\u202eabc" }], { ...plain, columns: 60 })
  expect(text).toContain(String.raw`\u001b[2Jx`)
  expect(text).toContain(String.raw`\u202eabc`)
})

test("cells are painted without being moved", () => {
  const painted: readonly Column<Row>[] = [{ title: "ID", value: (row) => row.id, paint: (cell) => `<${cell}>` }, ...columns.slice(1)]
  expect(
    formatTable(
      painted,
      [
        { id: "x", what: "y" },
        { id: "long", what: "z" },
      ],
      plain,
    ),
  ).toBe("ID    WHAT\n<x   >  y\n<long>  z")
})

describe("widths", () => {
  test.each([
    ["plain", 5],
    ["日本", 4],
    ["👩‍👩‍👧", 2],
    ["e\u0301", 1],
  ])("%s is %i wide", (text, width) => {
    expect(textWidth(text)).toBe(width)
  })

  test.each([
    ["日本語", 4, "日…"],
    ["👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"],
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
  ])("%s fits %i", (text, width, cut) => {
    expect(fitText(text, width)).toBe(cut)
    expect(textWidth(cut)).toBeLessThanOrEqual(width)
  })
})

test("a column that has a greatest width is cut to it everywhere", () => {
  const bounded: readonly Column<Row>[] = [{ title: "WHAT", value: (row) => row.what, widthMax: 10 }, ...columns.slice(0, 1)]
  expect(formatTable(bounded, rows.slice(0, 1), plain)).toBe("WHAT        ID\nGet a rep…  github.org.main.repos.get")
})
