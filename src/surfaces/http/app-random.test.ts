// Random requests: whatever is asked, the answer is never a failure of the server's own.
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { TestServer } from "./testing/server.ts"
import { startTestServer } from "./testing/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const awkward = fc.constantFrom(
  "__proto__",
  "constructor",
  "toString",
  "..",
  ".",
  "%00",
  "%zz",
  "%2f",
  "*",
  "'",
  "\\",
  "ü",
  "tools",
  "org",
  "user",
  "things",
)
const segment = fc.oneof(awkward, fc.string({ maxLength: 20 }))
const path = fc.oneof(
  fc.constantFrom(
    "/api/tools",
    "/api/tools/schema",
    "/api/tools/search",
    "/api/integrations",
    "/api/connections",
    "/api/tokens",
    "/api/integrations/preview",
    "/api/executions",
    "/api/approvals",
    "/api/policies",
    "/api/policies/explain",
    "/api/audit",
  ),
  fc.tuple(fc.constantFrom("executions", "approvals", "policies"), segment).map((parts) => `/api/${parts.join("/")}`),
  fc.tuple(segment, fc.constantFrom("result", "events", "resume", "cancel")).map((parts) => `/api/executions/${parts.join("/")}`),
  fc.tuple(segment).map(([slug]) => `/api/integrations/${slug}`),
  fc.tuple(segment, segment, segment).map((parts) => `/api/connections/${parts.join("/")}`),
  fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`),
)
const key = fc.constantFrom(
  "limit",
  "cursor",
  "owner",
  "integration",
  "query",
  "address",
  "include_blocked",
  "includeAnnotations",
  "id",
  "status",
  "principal",
  "offset",
  "length",
  "namespace",
  "__proto__",
)
const query = fc.array(fc.tuple(key, segment), { maxLength: 4 }).map((pairs) => pairs.map((pair) => pair.join("=")).join("&"))
const field = fc.constantFrom(
  "slug",
  "kind",
  "name",
  "config",
  "integration",
  "auth",
  "owner",
  "elicitation",
  "spec",
  "values",
  "__proto__",
  "placements",
  "code",
  "timeoutMs",
  "action",
  "content",
  "approvalIds",
  "pattern",
  "when",
  "position",
  "address",
  "args",
)
const value = fc.oneof(
  fc.jsonValue(),
  awkward,
  fc.constantFrom("openapi", "none", "bearer", "human", "agent", "accept", "allow", "return 1", 1, 1e300),
)
const body = fc.oneof(
  fc
    .dictionary(field, fc.oneof(value, fc.dictionary(field, value, { noNullPrototype: true })), { noNullPrototype: true })
    .map((object) => JSON.stringify(object)),
  fc.string(),
)

test("no request makes the server fail", async () => {
  const request = fc.record({ method: fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD"), path, query, body })
  await fc.assert(
    fc.asyncProperty(request, async (random) => {
      const url = `http://localhost${random.path}${random.query === "" ? "" : `?${random.query}`}`
      fc.pre(URL.canParse(url) && new URL(url).host === "localhost")
      const hasBody = random.method !== "GET" && random.method !== "HEAD"
      const headers = { host: "localhost", authorization: `Bearer ${server.tokens.human}`, "content-type": "application/json" }
      const answer = await server.app.fetch(new Request(url, { method: random.method, headers, ...(hasBody ? { body: random.body } : {}) }))
      const text = await answer.text()
      expect({ status: answer.status, text }).toSatisfy(({ status }: { status: number }) => status < 500)
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/)
    }),
    { numRuns: 400 },
  )
})
