// Documents and questions that are made to break what cuts, keeps and searches them, on both databases: nothing waits for them, and nothing fails.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

type Found = { readonly results: readonly { readonly text: string; readonly title: string }[] }

describe.each(["sqlite", "postgresql"] as const)("on %s", (kind) => {
  let product: Product
  beforeAll(async () => {
    const url = kind === "sqlite" ? null : await (await sharedPostgres()).createDatabase()
    const database = url === null ? {} : { EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "a key for this test only" }
    product = await startProduct({ env: database })
    await product.client.pipelines.create({ name: "Odd", chunking: { tokens: 50 } })
    await product.client.pipelines.documents.add("odd", { source: "100%_tea.md", text: "Ginger tea with lemon" })
  })
  afterAll(() => product.stop())

  const add = (body: object) => product.request("POST", "/pipelines/odd/documents", body)
  const ask = async (body: object): Promise<{ readonly status: number; readonly body: Found }> =>
    (await product.request("POST", "/pipelines/odd/query", body)) as { status: number; body: Found }

  test.each([
    ["a line that is nearly a heading", `#${" ".repeat(100_000)}\u2028pinecone`],
    ["headings without end", "# pinecone\n".repeat(20_000)],
    ["one endless line", "pinecone".repeat(50_000) + " pinecone"],
    ["empty lines without end", `${"\n".repeat(500_000)}pinecone`],
    ["what moves cursors and hides words", "\u001b[2J\u202epinecone\u0000\ud800 \u200b\r"],
    ["markup", "<script>alert(1)</script><!--\npinecone\n--> ]]> {{ pinecone }}"],
  ])("%s is cut, and found", async (name, markdown) => {
    expect(await add({ source: name, markdown })).toMatchObject({ status: 201 })
    const { status, body } = await ask({ query: "pinecone", filter: { sourcePrefix: name } })
    expect([status, body.results.length > 0]).toEqual([200, true])
    for (const { text, title } of body.results) {
      expect(Buffer.byteLength(text)).toBeLessThan(50 * 4 * 2)
      expect(title).not.toMatch(/\p{Cc}/u)
    }
  })

  test("a file that is no base64, however long, is refused", async () => {
    const data = `${"=".repeat(2_000_000)}x`
    expect(await add({ file: { name: "a.txt", data } })).toMatchObject({ status: 400 })
  })

  test.each([
    'tea"',
    '"tea',
    "tea*",
    "NEAR(tea lemon, 5)",
    "body:tea AND NOT lemon",
    "-tea +lemon ^ginger",
    "tea') OR 1=1; DROP TABLE pipeline_chunks; --",
    "tea & lemon | !ginger <-> x:* \\",
    "tea\u0000lemon \ud800",
    "tea \ufdfa \ufdfb \u2474 \ufe70x \u00bd \u0301 \u0e48",
    `${"(".repeat(9000)}tea`,
  ])("the question %j is words, and no expression", async (query) => {
    const { status, body } = await ask({ query })
    expect([status, body.results[0]?.text]).toEqual([200, "Ginger tea with lemon"])
  })

  test("a filter is a beginning, and no pattern", async () => {
    const sourcesFor = async (filter: object) => {
      const { status, body } = await ask({ query: "tea", filter })
      return [status, body.results.length]
    }
    expect(await sourcesFor({ sourcePrefix: "100%_" })).toEqual([200, 1])
    for (const sourcePrefix of ["%", "1__", "100%_\u0000", "\ud800", "'"]) expect(await sourcesFor({ sourcePrefix })).toEqual([200, 0])
    expect(await sourcesFor({ documentIds: ["\u0000", "%", "'"] })).toEqual([200, 0])
    expect(await sourcesFor({ titlePrefix: "\u0000" })).toEqual([200, 0])
  })
})
