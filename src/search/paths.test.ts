// Finds tools by path, by prefix and within namespaces, and what was meant by a path that does not exist.
import { describe, expect, test } from "vitest"
import { indexedTool as tool } from "./testing/tool.ts"
import type { Mount } from "./indexed-tool.ts"
import { createSearchIndex } from "./search-index.ts"
import type { SearchIndex } from "./search-index.ts"

const mount = (integration: string, connection = "main", integrationName = integration): Mount => ({
  toolSet: integration,
  prefix: `${integration}.org.${connection}`,
  integration,
  integrationName,
})
const groups = ["repos", "issues", "reposOld"]
const many = Array.from({ length: 300 }, (_, at) =>
  tool(`${groups[at % 3]}.tool${at}`, `Thing ${at % 11} of repos`, { deprecated: at % 17 === 0 }),
)

async function forge(): Promise<SearchIndex> {
  const index = createSearchIndex()
  await index.put("forge", many)
  await index.put("post", [tool("issues.send", "Send an issue of the paper"), tool("letters.send", "Send a letter")])
  return index
}
const everything = [mount("forge", "main", "Forge REST API"), mount("forge", "work"), mount("post")]

function pagesOf(index: SearchIndex, query: string, limit: number): string[] {
  const { total } = index.search({ query, limit: 1, offset: 0 }, everything)
  return Array.from({ length: Math.ceil(total / limit) }, (_, at) =>
    index.search({ query, limit, offset: at * limit }, everything).hits.map((hit) => hit.path),
  ).flat()
}

describe("pages", () => {
  test.each(["forge.repos", "forge.org.main.repos", "repos.tool1", "forge.rep", "repos thing", ""])(
    "of '%s' fit together whatever their size",
    async (query) => {
      const index = await forge()
      const byOne = pagesOf(index, query, 100)
      expect(new Set(byOne).size).toBe(index.search({ query, limit: 1, offset: 0 }, everything).total)
      expect(new Set(byOne).size).toBe(byOne.length)
      for (const limit of [7, 37, 250]) expect(pagesOf(index, query, limit)).toEqual(byOne)
    },
  )

  test("of a prefix begin with what it names, in the connection that it names", async () => {
    const index = await forge()
    const found = pagesOf(index, "forge.org.work.issues", 50)
    expect(found.slice(0, 100).every((path) => path.startsWith("forge.org.work.issues."))).toBe(true)
    expect(pagesOf(index, "forge.org.main.issues.tool1", 50)[0]).toBe("forge.org.main.issues.tool1")
    expect(index.search({ query: "forge.org.main.issues.tool1", limit: 3, offset: 0 }, everything).hits.map((hit) => hit.score)[0]).toBe(1)
  })
})

describe("namespaces", () => {
  test.each([
    ["forge", 600],
    ["Forge", 600],
    [" forge ", 600],
    ["forge.*", 600],
    ["forge.**", 600],
    ["forge.issues.", 200],
    ["forge.Issues.*", 200],
    ["tools.forge.issues", 200],
    ["Forge REST API", 600],
    ["issues", 201],
    ["letters", 1],
    ["tools", 602],
    ["*", 602],
    ["forge.letters", 0],
    ["nowhere", 0],
  ])("%s has %i", async (namespace, total) => {
    expect((await forge()).search({ query: "", namespace, limit: 1, offset: 0 }, everything).total).toBe(total)
  })
})

describe("suggestions", () => {
  test.each([
    ["forge.org.other.issues.tool1", "forge.org.main.issues.tool1"],
    ["forge.user.main.issues.tool1", "forge.org.main.issues.tool1"],
    ["forg.org.main.issues.tool1", "forge.org.main.issues.tool1"],
    ["tools.forge.org.work.issues.tol1", "forge.org.work.issues.tool1"],
    ["forge.org.main.issue.tool1", "forge.org.main.issues.tool1"],
  ])("%s may have been %s", async (path, meant) => {
    expect((await forge()).suggest(path, 5, everything)[0]).toBe(meant)
  })

  test.each(["forge.org.work.nope", "forge.org.work.foo", "forge.org.work.issu", "forge.org.work.a.b.c"])(
    "%s is not answered with tools of another connection",
    async (path) => {
      const suggested = (await forge()).suggest(path, 5, everything)
      expect(suggested).toHaveLength(5)
      expect(suggested.filter((one) => !one.startsWith("forge.org.work."))).toEqual([])
    },
  )

  test("what begins as it was written comes first", async () => {
    const suggested = (await forge()).suggest("forge.org.work.issu", 5, everything)
    expect(suggested.filter((one) => !one.startsWith("forge.org.work.issues."))).toEqual([])
  })
})

describe("what is shown without words", () => {
  test("tools of Executor itself come last", async () => {
    const index = await forge()
    await index.put("own", [tool("coreTools.connections.list", "List connections"), tool("sources.list", "List sources")])
    const own = { toolSet: "own", prefix: "executor", integration: "executor", integrationName: "executor" }
    const { hits, total } = index.search({ query: "", limit: 1000, offset: 0 }, [own, ...everything])
    expect(hits.slice(-2).map((hit) => hit.mount.integration)).toEqual(["executor", "executor"])
    expect(hits.slice(0, -2).every((hit) => hit.mount.integration !== "executor")).toBe(true)
    expect(total).toBe(604)
  })
})
