// Tests the names under which models know the tools of MCP servers.
import fc from "fast-check"
import { expect, test } from "vitest"
import { qualifyToolName, qualifyToolNames } from "./qualified-name.ts"

test("a short name is the server and the tool", () => {
  expect(qualifyToolName("filesystem", "read_file")).toBe("mcp__filesystem__read_file")
})

test("a name over 64 characters keeps its beginning, followed by the SHA-1 of the whole", () => {
  expect(qualifyToolName("my_server", "extremely_lengthy_function_name_that_absolutely_surpasses_all_reasonable_limits")).toBe(
    "mcp__my_server__extremel119a2b97664e41363932dc84de21e2ff1b93b3e9",
  )
  expect(qualifyToolName("my_server", "yet_another_extremely_lengthy_function_name_that_absolutely_surpasses_all_reasonable_limits")).toBe(
    "mcp__my_server__yet_anot419a82a89325c1b477274a41f8c65ea5f3a7f341",
  )
  expect(qualifyToolName("s", "x".repeat(64 - "mcp__s__".length))).toBe(`mcp__s__${"x".repeat(56)}`)
})

test("what model APIs refuse becomes an underscore", () => {
  expect(qualifyToolName("s", "files.read/all 🙂 \u202e")).toBe("mcp__s__files_read_all____")
})

test("names that would be the same all get a hash, whatever their order", () => {
  const tools = [
    { server: "s", tool: "a.b" },
    { server: "s", tool: "a/b" },
    { server: "s", tool: "c" },
  ]
  const names = qualifyToolNames(tools)
  expect(names[2]).toBe("mcp__s__c")
  expect(names.slice(0, 2)).toEqual([
    expect.stringMatching(/^mcp__s__a_b[0-9a-f]{40}$/),
    expect.stringMatching(/^mcp__s__a_b[0-9a-f]{40}$/),
  ])
  expect(qualifyToolNames(tools.toReversed())).toEqual(names.toReversed())
})

test("a server and a tool whose parts meet elsewhere are told apart", () => {
  const names = qualifyToolNames([
    { server: "a", tool: "b__c" },
    { server: "a__b", tool: "c" },
  ])
  expect(new Set(names).size).toBe(2)
})

test("a tool that is named like the hashed name of another does not take its place", () => {
  const colliding = [
    { server: "s", tool: "a.b" },
    { server: "s", tool: "a/b" },
  ]
  const [taken = ""] = qualifyToolNames(colliding)
  const names = qualifyToolNames([...colliding, { server: "s", tool: taken.slice("mcp__s__".length) }])
  expect(new Set(names).size).toBe(3)
  expect(names.slice(0, 2)).toEqual(qualifyToolNames(colliding))
})

test("any tools of any servers get distinct names that every model API takes", () => {
  const server = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/)
  const tools = fc.uniqueArray(fc.record({ server, tool: fc.string({ unit: "grapheme", maxLength: 80 }) }), {
    selector: ({ server: of, tool }) => `${of}\0${tool}`,
  })
  fc.assert(
    fc.property(tools, (all) => {
      const names = qualifyToolNames(all)
      expect(new Set(names).size).toBe(all.length)
      expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
    }),
  )
})
