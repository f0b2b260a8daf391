// Tests that the bucket of a tool is derived as documented, and that filters combine.
import { expect, test } from "vitest"
import { implementationTypes } from "./registry/tool.ts"
import { TOOL_BUCKETS, TOOL_SUBTYPES, filterTools, getSubtypeLabel, getToolBucket } from "./tool-types.ts"
import type { TypedTool } from "./tool-types.ts"

const buckets: readonly (readonly [TypedTool, string])[] = [
  [{ isSystem: true, implementationType: "mcp" }, "built_in"],
  [{ builtinKey: "web_search", implementationType: "artifact", artifactId: "art_1" }, "built_in"],
  [{ builtinKey: null, isSystem: false, implementationType: "mcp" }, "mcp"],
  [{ implementationType: "http", configSchema: { implementation: { type: "mcp" } } }, "mcp"],
  [{ implementationType: "mcp", artifactId: "art_1" }, "mcp"],
  [{ implementationType: "http", artifactId: "art_1" }, "artifact"],
  [{ implementationType: "artifact", artifactId: null }, "artifact"],
  [{ implementationType: "http", builtinKey: "", artifactId: "" }, "custom"],
  [{ implementationType: "internal" }, "custom"],
  [{}, "custom"],
  [{ toolType: "built_in", implementationType: "internal" }, "built_in"],
  [{ toolType: "unheard_of", implementationType: "mcp" }, "mcp"],
  [{ configSchema: null }, "custom"],
  [{ configSchema: { implementation: "mcp" } }, "custom"],
]

test.each(buckets)("the bucket of %j is %s", (tool, bucket) => {
  expect(getToolBucket(tool)).toBe(bucket)
})

test("there are four buckets, and a label for each of the eight subtypes", () => {
  expect(TOOL_BUCKETS.map(({ id }) => id)).toEqual(["built_in", "mcp", "artifact", "custom"])
  expect(TOOL_SUBTYPES.map(({ id }) => id).toSorted()).toEqual([...implementationTypes].toSorted())
  expect(["http", "rag_retrieval", "agent_call", "telepathy"].map(getSubtypeLabel)).toEqual([
    "HTTP",
    "RAG Retrieval",
    "Agent Call",
    "telepathy",
  ])
})

test("filters combine, and those that are left out filter nothing", () => {
  const tools = [
    { slug: "weather", name: "Weather", description: "Reads the FORECAST", implementationType: "http", status: "published" },
    { slug: "draft", name: "Draft", description: "", implementationType: "http", status: "draft" },
    { slug: "notes", name: "Notes", description: "Finds notes", implementationType: "mcp", status: "published" },
  ]
  const found = (filters: Parameters<typeof filterTools>[1]): string[] => filterTools(tools, filters).map(({ slug }) => slug)
  expect(found({})).toEqual(["weather", "draft", "notes"])
  expect(found({ status: "published" })).toEqual(["weather", "notes"])
  expect(found({ status: "published", subtype: "http" })).toEqual(["weather"])
  expect(found({ bucket: "mcp" })).toEqual(["notes"])
  expect(found({ bucket: "custom", query: "forecast" })).toEqual(["weather"])
  expect(found({ query: "%" })).toEqual([])
})
