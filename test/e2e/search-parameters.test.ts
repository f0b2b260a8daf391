// Tools are found by what lies behind the references of their input: fields of nested types, and allowed values.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { startGraphQL } from "../servers/graphql.ts"
import type { GraphQLServer } from "../servers/graphql.ts"

const typeDefs = /* GraphQL */ `
  enum Profession {
    PSYCHOLOGIST
    DENTIST
  }
  input Opening {
    "Whether a wheelchair gets in"
    stepless: Boolean
    around: Opening
  }
  input PlaceFilter {
    profession: Profession
    opening: [Opening!]
  }
  type Place {
    id: ID!
  }
  type Query {
    places(filter: PlaceFilter): [Place!]!
    rooms(limit: Int): [Place!]!
    visits(limit: Int): [Place!]!
  }
`

const takes = (name: string) => ({
  requestBody: { content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } } },
  responses: { 200: { description: "OK" } },
})
const spec = {
  openapi: "3.1.0",
  info: { title: "Depot", version: "1" },
  paths: {
    "/a": { post: { operationId: "jobs/start", summary: "Start a job", ...takes("Job") } },
    "/b": { post: { operationId: "jobs/plan", summary: "Plan a job", ...takes("Plan") } },
  },
  components: {
    schemas: {
      Job: { type: "object", properties: { cargo: { $ref: "#/components/schemas/Cargo" } } },
      Cargo: { type: "object", properties: { cooling: { $ref: "#/components/schemas/Cooling" } } },
      Cooling: { type: "string", enum: ["cryogenic", "ambient"] },
      Plan: { type: "object", properties: { when: { type: "string" } } },
    },
  },
}

let executor: Executor
let echo: Echo
let clinic: GraphQLServer
const dataDir = mkdtempSync(join(tmpdir(), "executor-search-parameters-"))

beforeAll(async () => {
  echo = await startEcho()
  clinic = await startGraphQL({ typeDefs })
  executor = await createExecutor({ dataDir })
  await executor.integrations.add({ slug: "depot", kind: "openapi", config: { spec: JSON.stringify(spec), baseUrl: echo.url } })
  await executor.integrations.add({ slug: "care", kind: "graphql", config: { endpoint: clinic.endpoint } })
  for (const integration of ["depot", "care"]) await executor.connections.create({ integration })
})
afterAll(async () => {
  await executor.close()
  await Promise.all([clinic.close(), echo.close()])
  rmSync(dataDir, { recursive: true })
})

test.each([
  ["a psychologist", "care.org.main.query.places"],
  ["where a wheelchair gets in", "care.org.main.query.places"],
  ["something cryogenic", "depot.org.main.jobs.start"],
  ["the cooling of cargo", "depot.org.main.jobs.start"],
])("%s", async (query, path) => {
  expect((await executor.tools.search({ query })).items.map((item) => item.path)[0]).toBe(path)
})
