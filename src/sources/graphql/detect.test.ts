// An endpoint is told apart from everything else that may be at a URL.
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startEcho } from "../../../test/servers/echo.ts"
import { startGraphQL } from "../../../test/servers/graphql.ts"
import { startGraphQLCaller } from "../../../test/servers/graphql-caller.ts"
import type { GraphQLCaller } from "../../../test/servers/graphql-caller.ts"
import { listen } from "../../../test/servers/listen.ts"

let caller: GraphQLCaller
const open: { close(): Promise<void> }[] = []
beforeAll(() => {
  caller = startGraphQLCaller()
})
afterAll(async () => {
  await Promise.all(open.map((server) => server.close()))
  await caller.close()
})
const kept = <T extends { close(): Promise<void> }>(server: T): T => {
  open.push(server)
  return server
}

it.each(["/graphql", "/", "/docs"])("finds an endpoint from %s", async (path) => {
  const server = kept(await startGraphQL())
  expect(await caller.detect(server.url + path)).toMatchObject({
    config: { endpoint: server.endpoint },
    facts: { origins: [server.url], auth: [{ template: "none" }, { template: "bearer" }, { template: "api_key" }] },
  })
})

it("says that a credential is wanted", async () => {
  const server = kept(await startGraphQL({ token: "s3cret" }))
  expect(await caller.detect(server.endpoint)).toMatchObject({
    config: { endpoint: server.endpoint },
    facts: { auth: [{ template: "bearer" }, { template: "api_key" }] },
  })
})

const answering = async (answer: (path: string) => { status: number; body: unknown }): Promise<string> => {
  const site = await listen(
    createServer((request, response) => {
      const { status, body } = answer(request.url ?? "")
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    }),
  )
  return kept(site).url
}

it.each([
  ["/api", 400, { errors: [{ message: "Must provide query string." }] }],
  ["/api", 200, { errors: [{ message: "Not logged in", extensions: { code: "UNAUTHENTICATED" } }] }],
  ["/api", 400, { errors: [{ message: "No", locations: [{ line: 1, column: 3 }] }] }],
  ["/graphql", 200, { errors: [{ message: "Not logged in" }] }],
  ["/v1/graphql/", 401, { message: "no" }],
  ["/graphql", 403, "no"],
])("finds an endpoint at %s that answers %i with %j", async (path, status, body) => {
  const url = await answering(() => ({ status, body }))
  expect(await caller.detect(url + path)).toMatchObject({ config: { endpoint: url + path }, proof: "hint" })
})

it("finds an endpoint at the usual place that refuses strangers, where other places do not", async () => {
  const url = await answering((path) => ({ status: path === "/graphql" ? 401 : 404, body: {} }))
  expect(await caller.detect(`${url}/`)).toMatchObject({
    config: { endpoint: `${url}/graphql` },
    facts: { auth: [{ template: "bearer" }, {}] },
  })
})

it.each([
  ["/", 401, { message: "no" }],
  ["/", 403, {}],
  ["/v1", 401, { errors: [{ message: "Unauthorized" }] }],
  ["/", 404, { errors: [{ message: "Sorry, that page does not exist", code: 34 }] }],
  ["/graphql", 404, { errors: [{ message: "Not found", extensions: {} }] }],
  ["/items", 403, { errors: [{ message: "Forbidden", extensions: { code: "FORBIDDEN" } }] }],
  ["/v1/users", 200, { errors: [{ message: "x" }] }],
  ["/", 400, { errors: [{ message: "bad request" }] }],
])("an API that answers everything as this one does at %s, %i and %j, is none", async (path, status, body) => {
  const url = await answering(() => ({ status, body }))
  expect(await caller.detect(url + path)).toBeNull()
})

it("finds nothing where there is none", async () => {
  const echo = kept(await startEcho())
  expect(await caller.detect(`${echo.url}/text`)).toBeNull()
  expect(await caller.detect(`${echo.url}/status/404`)).toBeNull()
  expect(await caller.detect(`${echo.url}/status/401`)).toBeNull()
  expect(await caller.detect("http://127.0.0.1:1/")).toBeNull()
  const other = kept(await listen(createServer((_, response) => void response.end('{"data":{"items":[]},"errors":[]}'))))
  expect(await caller.detect(other.url)).toBeNull()
})
