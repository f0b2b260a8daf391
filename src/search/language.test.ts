// Finds what people mean: operations, numbers, titles and slips of the pen.
import { describe, expect, test } from "vitest"
import type { IndexedTool } from "./indexed-tool.ts"
import { indexedTool } from "./testing/tool.ts"
import { createSearchIndex } from "./search-index.ts"

const tool = (name: string, summary: string, effect: IndexedTool["effect"], more: Partial<IndexedTool> = {}): IndexedTool =>
  indexedTool(name, summary, { effect, ...more })

/** The first hit of a request over one integration. */
async function firstOf(query: string, tools: readonly IndexedTool[]): Promise<string | undefined> {
  const index = createSearchIndex()
  await index.put("x", tools)
  const mounts = [{ toolSet: "x", prefix: "x.org.main", integration: "x", integrationName: "X" }]
  return index.search({ query, limit: 1, offset: 0 }, mounts).hits[0]?.name
}

const files = [
  tool("read_file", "Read a file", "destroy"),
  tool("write_file", "Write a file", "destroy"),
  tool("delete_file", "Delete a file", "destroy"),
]
const forge = [
  tool("issues.getComment", "Get an issue comment", "read"),
  tool("issues.listComments", "List issue comments", "read"),
  tool("issues.createComment", "Create an issue comment", "write"),
  tool("issues.deleteComment", "Delete an issue comment", "destroy"),
  tool("repos.getBranchProtection", "Get branch protection", "read"),
  tool("repos.updateBranchProtection", "Update branch protection", "write"),
  tool("repos.deleteBranchProtection", "Delete branch protection", "destroy"),
  tool("repos.createOrUpdateFileContents", "Create or update file contents", "write"),
  tool("repos.getContent", "Get repository content", "read", { description: "Gets the contents of a file." }),
  tool("repos.deleteFile", "Delete a file", "destroy"),
]

const pages = [
  tool("pages.create", "Create a page", "write", { parameters: [{ name: "private", description: "Whether the page is private" }] }),
  tool("pages.update", "Update a page", "write", { parameters: [{ name: "archived", description: "Whether to archive it" }] }),
  tool("pages.listCollaborators", "List collaborators of a page", "read", { description: "Everyone who has access to it." }),
  tool("pages.getAccessSettings", "Get the settings of access to all pages", "read"),
  tool("pages.get", "Get a page", "read", { description: "Who has no access to it gets nothing." }),
  tool("privateNotes.create", "Create a private note", "write"),
  tool("archive_channel", "Archive a channel", "write"),
  tool("tickets.update", "Update a ticket", "write"),
  tool("tickets.archive", "Archive a ticket", "write"),
  tool("exports.deleteArchive", "Delete the archive of an export", "destroy"),
]

describe("operations", () => {
  test.each([
    ["save text to a file", "write_file", files],
    ["read a file", "read_file", files],
    ["show the file", "read_file", files],
    ["get rid of the file", "delete_file", files],
    ["leave a comment on an issue", "issues.createComment", forge],
    ["take a comment off the issue", "issues.deleteComment", forge],
    ["comments of an issue", "issues.listComments", forge],
    ["protect the main branch", "repos.updateBranchProtection", forge],
    ["is the branch protected", "repos.getBranchProtection", forge],
    ["get file contents", "repos.getContent", forge],
    ["make a page private", "pages.update", pages],
    ["make a private page", "pages.create", pages],
    ["make a private note", "privateNotes.create", pages],
    ["archive a page", "pages.update", pages],
    ["archive a ticket", "tickets.archive", pages],
    ["archive the channel", "archive_channel", pages],
    ["delete an archive", "exports.deleteArchive", pages],
    ["who has access to a page", "pages.listCollaborators", pages],
  ])("%s", async (query, name, tools) => {
    expect(await firstOf(query, tools)).toBe(name)
  })

  test("who reads is not shown a deletion first, whatever its words are", async () => {
    const tools = [
      tool("files.delete", "Delete a file of a folder", "destroy"),
      tool("files.content", "The bytes of a file, as they are stored in the folder that it is in", "read"),
    ]
    expect(await firstOf("read a file of a folder", tools)).toBe("files.content")
    expect(await firstOf("remove a file of a folder", tools)).toBe("files.delete")
  })
})

describe("words", () => {
  test("parameters that turn pages do not make a tool about pages", async () => {
    const paged = Array.from({ length: 40 }, (_, at) =>
      tool(`list${at}`, `List kind ${at}`, "read", {
        parameters: ["page", "per_page", "pageToken"].map((name) => ({ name, description: "Page number of the results" })),
      }),
    )
    expect(await firstOf("turn on pages", [...paged, tool("sites.create", "Create a pages site", "write")])).toBe("sites.create")
  })

  test("who says 'my' does not mean what is self-hosted", async () => {
    const tools = [
      tool("runners.listSelfHostedRunnersForRepo", "List self-hosted runners for a repository", "read"),
      tool("repos.listForAuthenticatedUser", "List repositories for the authenticated user", "read"),
    ]
    expect(await firstOf("my repos", tools)).toBe("repos.listForAuthenticatedUser")
    expect(await firstOf("self-hosted runners", tools)).toBe("runners.listSelfHostedRunnersForRepo")
    expect(await firstOf("self hosted runners", tools)).toBe("runners.listSelfHostedRunnersForRepo")
  })

  test("prefixes that are written apart are found together", async () => {
    const tools = [tool("jobs.reRunJob", "Re-run a job", "write"), tool("jobs.runJob", "Run a job", "write")]
    expect(await firstOf("rerun the job", tools)).toBe("jobs.reRunJob")
    expect(await firstOf("re-run the job", tools)).toBe("jobs.reRunJob")
    expect(await firstOf("run the job", tools)).toBe("jobs.runJob")
  })

  test("general words of a title name no integration", async () => {
    const index = createSearchIndex()
    await index.put("pay", [tool("charges.create", "Create a charge", "write"), tool("charges.list", "List charges", "read")])
    await index.put("keys", [tool("keys.rotate", "Rotate an API key", "write"), tool("keys.list", "List API keys", "read")])
    const mounts = ["Acme Payment API", "The REST API service platform"].map((integrationName, at) => ({
      toolSet: "pay",
      prefix: `acme${at}.org.main`,
      integration: `acme${at}`,
      integrationName,
    }))
    const vault = { toolSet: "keys", prefix: "vault.org.main", integration: "vault", integrationName: "Vault" }
    const { hits } = index.search({ query: "rotate api key", limit: 1, offset: 0 }, [...mounts, vault])
    expect(hits[0]?.path).toBe("vault.org.main.keys.rotate")
    expect(hits[0]?.score).toBe(index.search({ query: "rotate api key", limit: 1, offset: 0 }, [vault, ...mounts]).hits[0]?.score)
    expect(index.search({ query: "acme0 charge", limit: 1, offset: 0 }, [vault, ...mounts]).hits[0]?.mount.integration).toBe("acme0")
  })
})

describe("slips", () => {
  const tools = [
    tool("repos.list", "List repositories", "read", {
      parameters: [{ name: "sort", description: `${"How the answer is sorted. ".repeat(8)}The repositories of a person` }],
    }),
    tool("issues.list", "List issues", "read"),
    tool("tries.list", "List tries of a reposition", "read"),
  ]
  test.each([
    ["repositries", "repos.list"],
    ["repositoris", "repos.list"],
    ["issuess", "issues.list"],
    ["isues", "issues.list"],
    ["lsit issues", "issues.list"],
  ])("%s", async (query, name) => {
    expect(await firstOf(query, tools)).toBe(name)
  })

  test("a text that is cut leaves no half words", async () => {
    const description = `${"word ".repeat(39)}abcdefghij`
    const cut = [tool("a.b", "Something", "read", { parameters: [{ name: "p", description }] })]
    for (const half of ["abcde", "abcdef", "abcd"]) expect(await firstOf(half, cut)).toBeUndefined()
  })
})

test("titles are shown without markup", async () => {
  const index = createSearchIndex()
  await index.put("x", [tool("a.b", "", "read", { title: "Get **the** [user](https://example.com) `id`" })])
  const mounts = [{ toolSet: "x", prefix: "x.org.main", integration: "x", integrationName: "X" }]
  expect(index.search({ query: "user", limit: 1, offset: 0 }, mounts).hits[0]?.title).toBe("Get the user id")
})
