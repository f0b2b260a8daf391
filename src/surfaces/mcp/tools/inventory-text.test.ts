// What a model reads about the catalog: complete where it is small, and no larger where it is not.
import { describe, expect, test } from "vitest"
import { defaultLimits } from "../../../core/limits.ts"
import type { Inventory, InventoryItem } from "../../../core/inventory.ts"
import type { HostOptions } from "../host-options.ts"
import { inventoryFooter, instructionsText } from "../../../core/text/inventory.ts"
import { toolDefinitions } from "./definitions.ts"

const item = (
  slug: string,
  groups: Record<string, number>,
  connections = ["org.main"],
  standing: InventoryItem["standing"] = "offers_tools",
): InventoryItem => ({
  slug,
  name: `${slug} with a long name that an upstream chose\u202e\u0007`,
  description: "A description that an upstream chose",
  kind: "openapi",
  standing,
  connections,
  unready: [],
  toolCount: Object.values(groups).reduce((sum, count) => sum + count, 0),
  groups: Object.entries(groups).map(([name, toolCount]) => ({ name, toolCount, isTool: name === "ping" })),
  tools: [],
})
const inventoryOf = (...items: InventoryItem[]): Inventory => ({ items, toolCount: items.reduce((sum, one) => sum + one.toolCount, 0) })

const empty = inventoryOf()
const one = inventoryOf(item("github", { repos: 210, issues: 60, query: 30 }))
const many = inventoryOf(
  ...Array.from({ length: 500 }, (_, index) =>
    item(
      `${"service".repeat(8)}${index}`,
      Object.fromEntries(Array.from({ length: 20 }, (__, group) => [`${"group".repeat(30)}${group}`, 10])),
      ["org.main", "org.second", "user.mine", "user.other"],
    ),
  ),
)
const few = inventoryOf(
  ...Array.from({ length: 4 }, (_, index) => {
    const names = Array.from({ length: 5 * (index + 1) }, (__, at) => `things.operation_${at}`)
    const plain = item(index === 3 ? "builtin" : `small_${index}`, { things: names.length })
    return { ...plain, tools: names.map((name) => ({ name, signature: '{ id: string; "x y"?; kind?; … 3 more }' })) }
  }),
)
const modes = ["browser", "native", "model"] as const
const options = (mode: HostOptions["mode"]): HostOptions => ({ mode, results: "envelope", discovery: "tools", direct: null })

describe("the footer", () => {
  test("has the form of the inventory, with groups as paths that can be called", () => {
    const footer = inventoryFooter(one, 1600)
    expect(footer).toContain("## Tool Inventory\n\n### catalog\n- catalog.namespaces({}) → string[] - List available tool namespaces")
    expect(footer).toContain("### github (300 tools)\n- github.repos.* - 210 tools\n- github.issues.* - 60 tools")
  })

  test("has the signatures of small integrations in place of their groups, as far as there is room", () => {
    const footer = inventoryFooter(few, 1600)
    expect(footer).toContain('### small_0 (5 tools)\n- small_0.things.operation_0({ id: string; "x y"?; kind?; … 3 more })')
    expect(footer).toContain("- small_1.things.operation_9({")
    expect(footer).toContain("### small_2 (15 tools)\n- small_2.things.* - 15 tools")
    expect(footer).toContain("### builtin (20 tools)\n- builtin.things.* - 20 tools")
    expect(inventoryFooter(few, 4000)).toContain("- small_2.things.operation_14({")
  })

  test("says what needs credentials and what cannot be reached, and where a path must name its connection", () => {
    const absent = (["needs_credentials", "not_reachable", "no_tools"] as const).map((standing) => item(`a_${standing}`, {}, [], standing))
    const footer = inventoryFooter(inventoryOf(item("two", { ping: 1, a: 1, b: 2 }, ["org.main", "user.mine"]), ...absent), 1600)
    expect(footer).toContain(
      "### two (4 tools; connections org.main, user.mine)\n- two.<owner>.<connection>.ping - 1 tool\n- two.<owner>.<connection>.a.* - 1 tool",
    )
    expect(footer).toContain(
      "### a_needs_credentials (requires credentials)\n\n### a_not_reachable (not reachable)\n\n### a_no_tools (no tools)",
    )
  })

  test("names what does not fit, and counts the rest", () => {
    const text = inventoryFooter(many, 1600)
    expect(text).toMatch(/### more\n- service.*and \d+ more namespaces/)
    expect(text.length).toBeLessThan(2600)
  })

  test("holds no line longer than a model should believe, and nothing of an upstream but identifiers", () => {
    const own = inventoryFooter(empty, 1600).split("\n")
    for (const line of inventoryFooter(many, 1600)
      .split("\n")
      .filter((text) => !own.includes(text) && !text.includes(", ")))
      expect(line.length).toBeLessThan(160)
    expect(inventoryFooter(many, 1600)).not.toContain("upstream chose")
  })
})

describe("the list of tools", () => {
  test.each(modes)("stays below 1,200 tokens in %s mode, whatever there is", (mode) => {
    for (const inventory of [empty, one, many, few])
      for (const discovery of ["code", "tools"] as const) {
        const text = JSON.stringify({ tools: toolDefinitions(inventory, { ...options(mode), discovery }, defaultLimits) })
        expect(text.length / 4).toBeLessThan(1200)
      }
  })

  test("tells one recipe that the tip below it does not contradict", () => {
    const [execute] = toolDefinitions(one, options("browser"), defaultLimits)
    const recipe = [
      "1. Find: `await tools.search(",
      "2. Call: `await tools.<path>(args)`",
      "3. Where the signature is not enough: `await tools.describe",
    ]
    for (const step of recipe) expect(execute?.description).toContain(step)
    expect(execute?.description).toContain("Make independent writes with `Promise.all`: one pause")
    expect(execute?.description).toMatch(
      /tooling tip is for surveying a catalog; a task needs only the steps above\.\n\nTooling tip: avoid repeated/,
    )
  })

  test("has resume unless the client asks by itself", () => {
    const names = (mode: HostOptions["mode"]) =>
      toolDefinitions(one, { ...options(mode), discovery: "code" }, defaultLimits).map((tool) => tool.name)
    expect(modes.map(names)).toEqual([["execute", "resume"], ["execute"], ["execute", "resume"]])
  })
})

test("instructions name the services, and do not grow", () => {
  expect(instructionsText(one)).toContain("300 tools of these services behind the one tool `execute`: github (300).")
  expect(instructionsText(empty)).toContain("Nothing is connected yet")
  expect(instructionsText(many).length).toBeLessThan(1000)
})
