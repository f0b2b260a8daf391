// The HTML pages: what they show, and that nothing in them can act.
import { createHash } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { TestServer } from "../testing/server.ts"
import { startTestServer } from "../testing/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64")

test.each(["/api/docs", "/nowhere"])("%s has no style and no script but those that are allowed by their hashes", async (path) => {
  const { headers, body } = await server.call("GET", path, { token: null, headers: { accept: "text/html" } })
  const html = String(body)
  const policy = headers.get("content-security-policy")
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? "")
  expect(policy).toContain(`style-src ${styles.map((style) => `'sha256-${hashOf(style)}'`).join(" ")};`)
  const scripts = [...html.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? "")
  expect(scripts).toHaveLength(path === "/api/docs" ? 1 : 0)
  for (const script of scripts) expect(policy).toContain(`script-src 'sha256-${hashOf(script)}';`)
  const still = html.replace(/<script type="module">[\s\S]*?<\/script>/, "")
  expect(still).not.toMatch(/<script|javascript:| on\w+=| style=|https?:\/\/(?!127|petstore3|clock\.example)[^"<\s]*\.(?:js|css)/i)
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
