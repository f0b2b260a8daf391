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

it("finds an endpoint that answers with errors only", async () => {
  const site = kept(await listen(createServer((_, response) => void response.end('{"errors":[{"message":"Not logged in"}]}'))))
  expect(await caller.detect(`${site.url}/api`)).toMatchObject({
    config: { endpoint: `${site.url}/api` },
    facts: { auth: [{ template: "bearer" }, {}] },
  })
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
