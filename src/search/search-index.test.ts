// Checks the search index as its callers see it: what is found, in which order, by whom, and what hostile input does.
import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import type { IndexedTool, Mount } from "./indexed-tool.ts"
import { indexedTool as tool } from "./testing/tool.ts"
import { createSearchIndex } from "./search-index.ts"
import type { SearchIndex } from "./search-index.ts"

const forge = [
  tool("issues.create", "Create an issue"),
  tool("issues.createComment", "Create an issue comment"),
  tool("issues.get", "Get an issue"),
  tool("issues.listForRepo", "List repository issues"),
  tool("issues.update", "Update an issue"),
  tool("issues.delete", "Delete an issue", { effect: "destroy" }),
  tool("search.issues", "Search issues"),
  tool("pulls.create", "Create a pull request"),
  tool("pulls.list", "List pull requests"),
  tool("repos.get", "Get a repository"),
  tool("repos.delete", "Delete a repository", { effect: "destroy" }),
  tool("users.getAuthenticated", "Get the authenticated user"),
  tool("webhooks.list", "List webhooks"),
]
const post = [
  tool("messages.send", "Sends a message", { parameters: [{ name: "recipient", description: "Who gets it" }] }),
  tool("messages.list", "Lists messages"),
]
const mount = (toolSet: string, connection: string, more: Partial<Mount> = {}): Mount => ({
  toolSet,
  prefix: `${toolSet}.org.${connection}`,
  integration: toolSet,
  integrationName: toolSet === "forge" ? "The Forge" : "Post Office",
  ...more,
})

async function smallIndex(): Promise<SearchIndex> {
  const index = createSearchIndex()
  await index.put("forge", forge)
  await index.put("post", post)
  return index
}

const everything = [mount("forge", "main"), mount("post", "main")]
const paths = (index: SearchIndex, query: string, mounts: readonly Mount[] = everything, limit = 12): string[] =>
  index.search({ query, limit, offset: 0 }, mounts).hits.map((hit) => hit.path)

describe("what is found", () => {
  test.each([
    ["create issue", "forge.org.main.issues.create"],
    ["open a new ticket", "forge.org.main.issues.create"],
    ["remove a repo", "forge.org.main.repos.delete"],
    ["show PRs", "forge.org.main.pulls.list"],
    ["who am I", "forge.org.main.users.getAuthenticated"],
    ["comment on an issue", "forge.org.main.issues.createComment"],
    ["find issues", "forge.org.main.search.issues"],
    ["crate an isue", "forge.org.main.issues.create"],
    ["list web hooks", "forge.org.main.webhooks.list"],
    ["pullrequests", "forge.org.main.pulls.list"],
    ["mail the recipient", "post.org.main.messages.send"],
  ])("%s", async (query, path) => expect(paths(await smallIndex(), query)[0]).toBe(path))

  test("each intent of a request is covered", async () => {
    const found = paths(await smallIndex(), "find the issue and comment on it, then send a message", everything, 3)
    expect(found).toEqual(expect.arrayContaining(["forge.org.main.issues.createComment", "post.org.main.messages.send"]))
  })

  test("nothing is found by words that nobody has", async () => {
    const index = await smallIndex()
    expect(index.search({ query: "zzzzqqq", limit: 5, offset: 0 }, everything)).toEqual({ hits: [], total: 0, weak: true })
    expect(index.search({ query: "the of and", limit: 5, offset: 0 }, everything)).toEqual({ hits: [], total: 0, weak: true })
  })

  test("text without spaces between words is matched by its characters", async () => {
    const index = createSearchIndex()
    await index.put("forge", [tool("weather.get", "天気予報を取得する"), tool("time.get", "現在時刻を取得する")])
    expect(paths(index, "天気予報")).toEqual(["forge.org.main.weather.get"])
  })
})

describe("order", () => {
  test("exact paths come first, then what goes on from them", async () => {
    const index = await smallIndex()
    expect(paths(index, "tools.forge.org.main.issues.create").slice(0, 2)).toEqual([
      "forge.org.main.issues.create",
      "forge.org.main.issues.createComment",
    ])
    expect(paths(index, "forge.issues.get")[0]).toBe("forge.org.main.issues.get")
    expect(paths(index, "REPOS.GET")[0]).toBe("forge.org.main.repos.get")
    expect(paths(index, "forge.org.main.pulls").slice(0, 2)).toEqual(["forge.org.main.pulls.list", "forge.org.main.pulls.create"])
  })

  test("of equals the plain, short tool that is not deprecated wins", async () => {
    const index = createSearchIndex()
    await index.put("forge", [
      tool("teams.getLegacy", "Get a team", { deprecated: true }),
      tool("teams.getByName", "Get a team"),
      tool("teams.get", "Get a team"),
    ])
    expect(paths(index, "get team")).toEqual([
      "forge.org.main.teams.get",
      "forge.org.main.teams.getByName",
      "forge.org.main.teams.getLegacy",
    ])
  })

  test("pages follow each other without gaps or repeats", async () => {
    const index = await smallIndex()
    const { total } = index.search({ query: "issue", limit: 1, offset: 0 }, everything)
    const pages = Array.from({ length: total }, (_, offset) => index.search({ query: "issue", limit: 1, offset }, everything).hits[0]?.path)
    expect(new Set(pages).size).toBe(total)
    expect(pages).toEqual(paths(index, "issue", everything, total))
    expect(index.search({ query: "issue", limit: 5, offset: total }, everything).hits).toEqual([])
  })

  test("deep pages follow as well, for one intent and for several", async () => {
    const index = createSearchIndex()
    const verbs = ["create", "get", "list", "update", "delete"]
    await index.put(
      "forge",
      Array.from({ length: 400 }, (_, at) => tool(`thing${at}.${verbs[at % 5]}`, `${verbs[at % 5]} a thing of kind ${at}`)),
    )
    for (const query of ["get a thing", "create a thing and then delete the thing"]) {
      const { total } = index.search({ query, limit: 1, offset: 0 }, everything)
      const pages = Array.from(
        { length: Math.ceil(total / 30) },
        (_, at) => index.search({ query, limit: 30, offset: at * 30 }, everything).hits,
      )
      expect(total).toBeGreaterThan(100)
      expect(new Set(pages.flat().map((hit) => hit.path)).size).toBe(total)
    }
  })

  test("scores fall and stay between 0 and 1", async () => {
    const scores = (await smallIndex()).search({ query: "create an issue", limit: 20, offset: 0 }, everything).hits.map((hit) => hit.score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
    expect(Math.min(...scores)).toBeGreaterThan(0)
  })

  test("without words everything is shown, one plain tool of each subject first", async () => {
    const index = await smallIndex()
    const { hits, total } = index.search({ query: " ", limit: 3, offset: 0 }, everything)
    expect(total).toBe(forge.length + post.length)
    expect(new Set(hits.map((hit) => hit.name.split(".")[0])).size).toBe(3)
  })

  test("an integration's name finds its tools and no others", async () => {
    const { hits, total } = (await smallIndex()).search({ query: "forge", limit: 50, offset: 0 }, everything)
    expect(total).toBe(forge.length)
    expect(hits.every((hit) => hit.mount.integration === "forge")).toBe(true)
  })
})

describe("who sees what", () => {
  test("connections share one tool set, and both are found and counted", async () => {
    const index = await smallIndex()
    const before = index.stats()
    const two = [mount("forge", "main"), mount("forge", "work")]
    const one = index.search({ query: "create issue", limit: 20, offset: 0 }, [mount("forge", "main")])
    const both = index.search({ query: "create issue", limit: 20, offset: 0 }, two)
    expect(both.total).toBe(2 * one.total)
    expect(both.hits.slice(0, 2).map((hit) => hit.path)).toEqual(["forge.org.main.issues.create", "forge.org.work.issues.create"])
    expect(index.stats()).toEqual(before)
    expect(paths(index, "create issue at work", two)[0]).toBe("forge.org.work.issues.create")
  })

  test("what is hidden is neither shown, nor counted, nor suggested", async () => {
    const index = await smallIndex()
    const asked: string[] = []
    const readOnly = mount("forge", "main", {
      isVisible: (name) => {
        asked.push(name)
        return !name.includes("delete") && !name.includes("create")
      },
    })
    const answer = index.search({ query: "create or delete an issue", limit: 50, offset: 0 }, [readOnly])
    expect(answer.hits.length).toBe(answer.total)
    expect(answer.hits.some((hit) => /create|delete/.test(hit.name))).toBe(false)
    expect(paths(index, "forge.org.main.issues.create", [readOnly])).not.toContain("forge.org.main.issues.create")
    expect(index.suggest("forge.org.main.issues.crate", 5, [readOnly]).some((path) => /create|delete/.test(path))).toBe(false)
    expect(new Set(asked).size).toBe(asked.length)
  })

  test("tool sets that are not mounted leave no trace", async () => {
    const index = await smallIndex()
    const only = [mount("post", "main")]
    expect(index.search({ query: "create issue", limit: 5, offset: 0 }, only).total).toBe(0)
    expect(index.suggest("forge.org.main.issues.create", 5, only).every((path) => path.startsWith("post."))).toBe(true)
    expect(index.search({ query: "send a message", limit: 5, offset: 0 }, []).total).toBe(0)
  })

  test.each([
    ["forge", forge.length],
    ["forge.org.main", forge.length],
    ["forge.org.main.issues", 6],
    ["forge.issues", 6],
    ["forge.issue", 0],
    ["forge.org.work", 0],
    ["post", 2],
    ["nowhere", 0],
  ])("the namespace %s has its tools", async (namespace, count) => {
    const index = await smallIndex()
    expect(index.search({ query: "", namespace, limit: 50, offset: 0 }, everything).total).toBe(count)
  })

  test("static tools are named by their whole path", async () => {
    const index = createSearchIndex()
    await index.put("static", [tool("executor.coreTools.connections.list", "List connections")])
    const core = [{ toolSet: "static", prefix: "", integration: "executor", integrationName: "Executor" }]
    expect(paths(index, "list connections", core)).toEqual(["executor.coreTools.connections.list"])
    expect(paths(index, "executor.coreTools.connections.list", core)).toEqual(["executor.coreTools.connections.list"])
    expect(index.search({ query: "", namespace: "executor.coreTools", limit: 5, offset: 0 }, core).total).toBe(1)
  })
})

describe("suggestions", () => {
  test("come from the same connection first", async () => {
    const index = await smallIndex()
    const mounts = [mount("post", "main"), mount("forge", "work"), mount("forge", "main")]
    expect(index.suggest("forge.org.main.issue.create", 3, mounts)[0]).toBe("forge.org.main.issues.create")
    expect(index.suggest("tools.forge.org.work.repos.gett", 2, mounts)[0]).toBe("forge.org.work.repos.get")
    expect(index.suggest("forge.repo.get", 5, mounts)[0]).toMatch(/^forge\.org\.(?:main|work)\.repos\.get$/)
    expect(index.suggest("forge.org.main.issues.create", 5, mounts)).toHaveLength(5)
  })
})

describe("changes", () => {
  test("a put replaces, a drop removes, and the vocabulary shrinks with them", async () => {
    const index = await smallIndex()
    const before = index.stats()
    await index.put("other", [tool("zebra.paint", "Paint a zebra")])
    expect(paths(index, "zebra", [mount("other", "main")])).toEqual(["other.org.main.zebra.paint"])
    await index.put("other", [tool("yak.shave", "Shave a yak")])
    expect(paths(index, "zebra", [mount("other", "main")])).toEqual([])
    index.drop("other")
    index.drop("other")
    expect(index.has("other")).toBe(false)
    expect(index.stats()).toEqual(before)
  })

  test("what was searched before, in whatever part of a catalog, changes no later answer", async () => {
    const used = await smallIndex()
    const fresh = async (tools: readonly IndexedTool[]): Promise<SearchIndex> => {
      const index = await smallIndex()
      await index.put("post", tools)
      return index
    }
    const answers = (index: SearchIndex): unknown =>
      [everything, everything.slice(0, 1), everything.slice(1), everything.toReversed()].map((mounts) =>
        index.search({ query: "list issues and messages", limit: 20, offset: 0, explain: true }, mounts),
      )
    for (const tools of [post, [...post, ...forge], [tool("issues.list", "Lists issues")], forge]) {
      answers(used)
      await used.put("post", tools)
      expect(answers(used)).toEqual(answers(await fresh(tools)))
    }
  })

  test("the last put or drop wins, whichever is ready first", async () => {
    const index = createSearchIndex()
    async function* slowly(): AsyncGenerator<IndexedTool> {
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      yield tool("old.thing", "An old thing")
    }
    const slow = index.put("forge", slowly())
    await index.put("forge", [tool("new.thing", "A new thing")])
    await slow
    expect(paths(index, "thing")).toEqual(["forge.org.main.new.thing"])
    const late = index.put("forge", slowly())
    index.drop("forge")
    await late
    expect(index.has("forge")).toBe(false)
  })

  test("a put that fails leaves what was there", async () => {
    const index = await smallIndex()
    async function* broken(): AsyncGenerator<IndexedTool> {
      yield tool("half.done", "Half done")
      await setImmediate()
      throw new Error("the source went away")
    }
    await expect(index.put("forge", broken())).rejects.toThrow("the source went away")
    expect(paths(index, "create issue")[0]).toBe("forge.org.main.issues.create")
  })

  test("a build lets others have their turn", async () => {
    const index = createSearchIndex()
    const description = "Words about many different things. ".repeat(60)
    const build = { turns: 0, isDone: false }
    const tools = Array.from({ length: 500 }, (_, at) => tool(`group${at % 7}.tool${at}`, "", { description }))
    const building = index.put("large", tools).finally(() => (build.isDone = true))
    while (!build.isDone) {
      build.turns += 1
      await setImmediate()
    }
    await building
    expect(build.turns).toBeGreaterThan(3)
  })
})
