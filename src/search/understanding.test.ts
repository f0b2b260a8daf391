// Finds tools by what they take, by the kind of a request's values and by their integration, and says so when nothing fits.
import { describe, expect, test } from "vitest"
import type { JsonSchema } from "../core/tool.ts"
import type { IndexedTool, Mount, SearchAnswer } from "./indexed-tool.ts"
import { indexedTool as tool } from "./testing/tool.ts"
import { parametersIn } from "./index/parameters.ts"
import { createSearchIndex } from "./search-index.ts"

const mountOf = (integration: string): Mount => ({
  toolSet: integration,
  prefix: `${integration}.org.main`,
  integration,
  integrationName: integration.replaceAll("_", " "),
})

async function searched(query: string, sets: Readonly<Record<string, readonly IndexedTool[]>>, explain = false): Promise<SearchAnswer> {
  const index = createSearchIndex()
  for (const [integration, tools] of Object.entries(sets)) await index.put(integration, tools)
  return index.search({ query, limit: 5, offset: 0, explain }, Object.keys(sets).map(mountOf))
}
const firstPath = async (...asked: Parameters<typeof searched>): Promise<string | undefined> => (await searched(...asked)).hits[0]?.path

const servers = {
  files: [tool("write_file", "Create or overwrite a file"), tool("directory_tree", "Recursive tree of directories")],
  maps: [
    tool("reverse_geocode", "Find an address", {
      parameters: [
        { name: "latitude", description: "" },
        { name: "longitude", description: "" },
      ],
    }),
    tool("directions", "Way between two points"),
  ],
  web: [tool("fetch", "Read a page", { parameters: [{ name: "url", description: "Address of the page" }] })],
  git: [tool("diff_unstaged", "Changes in the working tree"), tool("diff_staged", "Changes that are staged for the next commit")],
  memory: [tool("create_entities", "Create entities in the graph"), tool("read_graph", "Read the graph")],
}

describe("a request's values", () => {
  test.each([
    ["what is at 48.8584, 2.2945", "maps.org.main.reverse_geocode"],
    ["open https://example.com/pricing", "web.org.main.fetch"],
    ["save the result to /root/maps/web.md", "files.org.main.write_file"],
    ["what is in the subfolders of /data", "files.org.main.directory_tree"],
  ])("%s", async (query, path) => expect(await firstPath(query, servers)).toBe(path))
})

test.each([
  ["which changes aren't staged", "git.org.main.diff_unstaged"],
  ["save a note about a person", "memory.org.main.create_entities"],
])("%s", async (query, path) => expect(await firstPath(query, servers)).toBe(path))

test("a reference is deleted for who deletes a branch, not the protection of one", async () => {
  const forge = [
    tool("git.deleteRef", "Delete a reference", { effect: "destroy" }),
    tool("repos.deleteBranchProtection", "Delete branch protection", { effect: "destroy" }),
    tool("repos.deleteAdminBranchProtection", "Delete admin branch protection", { effect: "destroy" }),
    ...["issues", "pulls", "teams", "hooks"].map((group) => tool(`${group}.list`, `List ${group}`)),
  ]
  const { hits } = await searched("delete a branch", { forge })
  expect(hits.slice(0, 2).map((hit) => hit.name)).toContain("git.deleteRef")
})

test("who deletes is not led to what brings back", async () => {
  const removals = ["file", "share", "comment", "user", "group"].map((thing) =>
    tool(`${thing}s.delete`, `Delete a ${thing}`, { effect: "destroy" }),
  )
  const files = [tool("files.restore", "Undelete a file"), ...removals]
  expect(await firstPath("delete the file /tmp/old.txt", { files })).toBe("files.org.main.files.delete")
})

test.each([
  ["check out a branch", "git.org.main.checkout"],
  ["check the branch out", "git.org.main.checkout"],
  ["roll back the last release", "git.org.main.rollback"],
  ["sign up with an address", "git.org.main.signup"],
])("%s is the tool of that name", async (query, path) => {
  const git = ["check_branch", "list_branches", "list_releases", "create_release", "sign_commit", "create_person"].map((name) =>
    tool(name, ""),
  )
  expect(await firstPath(query, { git: [...git, tool("checkout", "Switch to a branch"), tool("rollback", ""), tool("signup", "")] })).toBe(
    path,
  )
})

test("nested parameters and allowed values find a tool", async () => {
  const schema = {
    type: "object",
    properties: {
      filter: { $ref: "#/$defs/filter" },
      visits: { type: "array", items: { properties: { clinic: { description: "Where it takes place" } } } },
    },
    $defs: { filter: { properties: { profession: { enum: ["Psychologist", "Dentist"] }, inner: { $ref: "#/$defs/filter" } } } },
  }
  const names = parametersIn(schema).map(({ name }) => name)
  expect(names.slice(0, 4)).toEqual(["filter", "visits", "profession", "inner"])
  expect(names).toContain("clinic")
  const found = tool("providers.find", "Find a provider", { parameters: parametersIn(schema) })
  expect(await firstPath("a psychologist near me", { care: [tool("rooms.find", "Find a room"), found] })).toBe(
    "care.org.main.providers.find",
  )
})

test("parameters behind references are read once, however often and deep these lead on", () => {
  const wide = (name: string): JsonSchema => ({ anyOf: Array.from({ length: 100 }, () => ({ $ref: `#/$defs/${name}` })) })
  const tower = new Map(Array.from({ length: 40 }, (_, at) => [`D${at}`, wide(`D${at + 1}`)]))
  const schema = { properties: { first: { $ref: "#/$defs/D0" }, second: { $ref: "#/$defs/D0" }, third: { $ref: "#/$defs/none" } } }
  expect(parametersIn(schema, (name) => tower.get(name)).map(({ name }) => name)).toEqual(["first", "second", "third"])

  const near: JsonSchema = { description: "Told once", properties: { depth: { enum: ["bottom"] } } }
  expect(parametersIn(schema, (name) => (name === "D0" ? near : undefined))).toEqual([
    { name: "first", description: "Told once" },
    { name: "second", description: "" },
    { name: "third", description: "" },
    { name: "depth", description: "bottom" },
  ])
})

test("an integration's name outweighs nothing where others use its words", async () => {
  const { hits } = await searched("get the climate news", {
    get_promo_codes: [tool("stores", "Shops that have codes")],
    climate: [tool("news", "Get news about the climate")],
    quotes: [tool("random", "Get a quote"), tool("tags", "Get all tags"), tool("authors", "Get the authors")],
  })
  expect(hits[0]?.path).toBe("climate.org.main.news")
})

test("Executor's own tools come after others that fit", async () => {
  const own = { executor: [tool("policies.list", "List policies")], insurance: [tool("contracts.list", "List policies of a customer")] }
  expect(await firstPath("list policies", own)).toBe("insurance.org.main.contracts.list")
  expect(await firstPath("list executor policies", own)).toBe("executor.org.main.policies.list")
})

describe("an answer", () => {
  test("is weak where most of what was asked for is nowhere", async () => {
    expect((await searched("send an sms text to my grandmother", servers)).weak).toBe(true)
    expect((await searched("read the graph", servers)).weak).toBe(false)
    expect((await searched("read the graph gph_NffrFeUfNV2Hib", servers)).weak).toBe(false)
    expect((await searched("files.org.main.write_file", servers)).weak).toBe(false)
    expect((await searched("", servers)).weak).toBe(false)
  })

  test("counts what is worth showing", async () => {
    const many = Array.from({ length: 50 }, (_, at) => tool(`things.get${at}`, `Get thing ${at}`))
    const { total, hits } = await searched("get the zebra", { zoo: [...many, tool("zebra.get", "Get a zebra")] })
    expect(hits[0]?.name).toBe("zebra.get")
    expect(total).toBeLessThan(10)
  })

  test("explains the places of its hits only on request", async () => {
    const [hit] = (await searched("read the graph", servers, true)).hits
    expect(hit?.explanation?.words.map(({ word }) => word)).toEqual(expect.arrayContaining(["read", "graph"]))
    expect(hit?.explanation?.factors.words).toBeGreaterThan(1)
    expect((await searched("read the graph", servers)).hits[0]).not.toHaveProperty("explanation")
  })
})
