// The HTML pages: what they show, and that nothing in them can act.
import { createHash } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { homePage } from "./home-page.ts"
import type { TestServer } from "./testing.ts"
import { startTestServer } from "./testing.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each(["/", "/api/docs"])("%s has one style, which its policy allows by hash, and no script", async (path) => {
  const { headers, body } = await server.call("GET", path, { token: null })
  const html = String(body)
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? "")
  expect(styles).toHaveLength(1)
  const hash = createHash("sha256")
    .update(styles[0] ?? "")
    .digest("base64")
  expect(headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}';`)
  expect(html).not.toMatch(/<script|javascript:| on\w+=| style=|https?:\/\/(?!127|petstore3|clock\.example)[^"<\s]*\.(?:js|css)/i)
})

test("the home page shows counts and where to go", async () => {
  const html = String((await server.call("GET", "/", { token: null })).body)
  expect(html).toContain("1,200")
  expect(html).toContain("version 1.2.3")
  expect(html).toContain("embedded SQLite")
  expect(html).toContain(`${server.url}/mcp`)
  expect(html).toContain("./executor tools search")
  expect(html).toContain('href="/api/docs"')
  expect(html).not.toContain(server.tokens.human)
})

test("what is shown is escaped", async () => {
  const status = { version: "<b>1</b>", integrations: 0, connections: 0, tools: 0, store: "sqlite" } as const
  const html = await homePage(status, 'http://x/"><script>alert(1)</script>')
  expect(html).not.toContain("<script>")
  expect(html).not.toContain("<b>1")
})

test("the reference has every operation and schema of the document, and its links lead somewhere", async () => {
  const html = String((await server.call("GET", "/api/docs", { token: null })).body)
  const document = (await server.call("GET", "/api/openapi.json", { token: null })).body as {
    paths: Record<string, Record<string, { operationId: string }>>
    components: { schemas: Record<string, unknown> }
  }
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]))
  for (const operation of Object.values(document.paths).flatMap(Object.values<{ operationId: string }>))
    expect(ids).toContain(operation.operationId)
  for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`)
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})
