// Writes the OpenAPI document out of the same routes and schemas that check the requests.
import { z } from "zod"
import type { ErrorCode } from "../../core/errors.ts"
import { errorTable } from "../../core/errors.ts"
import { httpStatus } from "./error-response.ts"
import { writeEvent } from "./event-stream.ts"
import type { Route, StreamedEvent } from "./routes/route.ts"

export type JsonSchema = { readonly [keyword: string]: unknown }
export type ApiParameter = {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}
type MediaType = {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Record<string, { readonly value: unknown }>
}
type Content = Readonly<Record<string, MediaType>>
export type ApiResponse = { readonly description: string; readonly content?: Content }
export type ApiOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly []
  readonly parameters: readonly ApiParameter[]
  readonly requestBody?: { readonly required: true; readonly content: { readonly "application/json": MediaType } }
  readonly responses: Readonly<Record<string, ApiResponse>>
}
export type ApiDocument = {
  readonly openapi: "3.1.1"
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: { name: string; identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly security: readonly Record<string, readonly string[]>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>>; readonly securitySchemes: Record<string, JsonSchema> }
}

const tags = [
  { name: "server", description: "The server itself." },
  { name: "tools", description: "The catalog: every callable operation that the acting principal can see." },
  { name: "registry", description: "Tools that people make here, with their lifecycle and versions." },
  { name: "artifacts", description: "Code that registry tools run, in immutable versions." },
  { name: "credentials", description: "Credentials of the tenant for built-ins and registry tools." },
  { name: "pipelines", description: "Retrieval pipelines: documents that agents can ask." },
  { name: "agents", description: "Agents that people make here, with versions, and their runs. A run is an execution." },
  { name: "models", description: "Providers of the models that agents think with." },
  { name: "executions", description: "Runs of code against the catalog. A run continues until it ends or waits for a human." },
  { name: "workspaces", description: "Folders whose tools a command offers to its executions while it runs." },
  { name: "approvals", description: "The inbox: questions that wait for a human, and their answers." },
  { name: "notifications", description: "Whom approvals that wait are told to." },
  { name: "policies", description: "Rules that allow calls, require approval for them, or block them." },
  { name: "integrations", description: "Catalog entries such as `github`: a slug, a source kind and its config." },
  { name: "connections", description: "A connection gives an integration an owner, a name and credentials, and syncs its tools." },
  { name: "oauth", description: "Connections by OAuth: consents, clients and discovery." },
  { name: "people", description: "Users and service accounts, their roles, invitations, and the tenants of the server." },
  { name: "tokens", description: "Bearer tokens of people and agents." },
  { name: "sessions", description: "Signing in from a browser." },
  { name: "sign-in", description: "OpenID Connect providers at which people sign in." },
  { name: "passkeys", description: "Passkeys with which a human signs in." },
  { name: "audit", description: "What happened, who did it, and which rule decided." },
  { name: "events", description: "One stream of everything that changes, for a page that stays open." },
  { name: "ids", description: "Completing an id from its first characters." },
]

const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]), // the table's own keys
      message: z.string().meta({ description: "What happened, and what to do next." }),
      details: z.unknown().exactOptional(),
    }),
  })
  .meta({ id: "Error" })

const healthSchema = z
  .object({ status: z.literal("ok"), version: z.string(), store: z.enum(["sqlite", "postgresql"]) })
  .meta({ id: "Health" })

/** Every route can answer with these. */
const commonErrors: readonly ErrorCode[] = ["invalid_request", "unauthorized", "forbidden", "internal"]

export function writeDocument(routes: readonly Route[], version: string, publicUrl: string | undefined): ApiDocument {
  const schemas = convertSchemas(routes)
  const paths: Record<string, Record<string, ApiOperation>> = { "/health": { get: healthOperation(schemas) } }
  for (const route of routes) (paths[route.path] ??= {})[route.method] = writeOperation(route, schemas)
  return {
    openapi: "3.1.1",
    info: {
      title: "Executor",
      version,
      description: "The tool plane for AI agents: every API as a typed, searchable, governed function in one catalog.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${publicUrl?.replace(/\/+$/, "") ?? ""}/api`, description: "This server." }],
    security: [{ bearer: [] }],
    tags,
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A token from `POST /tokens`, or the local one in `EXECUTOR_DATA_DIR/token`.",
        },
      },
    },
  }
}

type Schemas = { readonly named: Record<string, JsonSchema>; readonly of: (schema: z.ZodType) => JsonSchema }

/** All in one conversion, so that a schema with an id is written once and referred to from everywhere. */
function convertSchemas(routes: readonly Route[]): Schemas {
  const used = new Set<z.ZodType>([errorSchema, healthSchema])
  for (const route of routes) {
    for (const schema of [route.params, route.query, route.body?.schema, route.answer.schema]) {
      if (schema !== undefined && !(schema instanceof z.ZodUndefined)) used.add(schema)
    }
  }
  const list = [...used]
  const text = JSON.stringify(z.toJSONSchema(z.tuple(list as [z.ZodType, ...z.ZodType[]]), { io: "input" })) // it holds at least the two above
  const converted = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as {
    prefixItems: JsonSchema[]
    $defs: Record<string, JsonSchema>
  } // what Zod writes for a tuple
  return { named: converted.$defs, of: (schema) => converted.prefixItems[list.indexOf(schema)] ?? {} }
}

function writeOperation(route: Route, schemas: Schemas): ApiOperation {
  const { answer, body } = route
  const content = writeContent(route, schemas)
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    parameters: [
      ...writeParameters("path", schemas.of(route.params)),
      ...writeParameters("query", schemas.of(route.query)),
      ...(route.kind === "events" && route.isResumable === true ? [lastEventId] : []),
    ],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: { "application/json": writeBody(body.examples, schemas.of(body.schema)) } } }),
    responses: {
      [answer.status]: { description: answer.description, ...(content === null ? {} : { content }) },
      ...writeErrors([...new Set([...commonErrors, ...route.errors])], schemas),
    },
  }
}

const lastEventId: ApiParameter = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The id of the last event that was read: the stream goes on behind it.",
  schema: { type: "string" },
}

function writeContent(route: Route, schemas: Schemas): Content | null {
  const { kind, answer } = route
  const schema = schemas.of(answer.schema)
  if (kind === "text") {
    const lines = { description: "One JSON object per line.", contentSchema: schema }
    return Object.fromEntries(
      Object.entries(route.texts).map(([type, example], index) => [
        type,
        { schema: { type: "string", contentMediaType: type, ...(index === 0 ? lines : {}) }, example },
      ]),
    )
  }
  if (kind === "events") {
    const stream = {
      type: "string",
      description: "The data of each event is JSON.",
      contentMediaType: "text/event-stream",
      contentSchema: schema,
    }
    return { "text/event-stream": { schema: stream, example: writeExample(answer.example as StreamedEvent) } } // examples fit the schema of the route's events
  }
  return answer.status === 204 ? null : { "application/json": { schema, example: answer.example } }
}

const writeExample = (event: StreamedEvent): string => writeEvent(event.type, event, event.id)

const writeBody = (examples: Record<string, unknown>, schema: JsonSchema): MediaType => ({
  schema,
  examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
})

function writeParameters(place: "path" | "query", schema: JsonSchema): ApiParameter[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] } // a converted `z.object`
  return Object.entries(properties).map(([name, { description = "", ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description: typeof description === "string" ? description : "",
    schema: rest,
  }))
}

/** Codes that share a status share a response. */
function writeErrors(codes: readonly ErrorCode[], schemas: Schemas): Record<string, ApiResponse> {
  const responses: Record<string, ApiResponse> = {}
  for (const code of codes) {
    const status = String(httpStatus(code))
    const line = `\`${code}\`: ${errorTable[code].when}`
    const description = responses[status] === undefined ? line : `${responses[status].description} ${line}`
    const example = { error: { code, message: errorTable[code].when } }
    responses[status] = { description, content: { "application/json": { schema: schemas.of(errorSchema), example } } }
  }
  return responses
}

const healthOperation = (schemas: Schemas): ApiOperation => ({
  operationId: "server.health",
  tags: ["server"],
  summary: "Check the server's health",
  description: "Needs no token. Succeeds only if the database responds.",
  security: [],
  parameters: [],
  responses: {
    200: {
      description: "The server is up.",
      content: { "application/json": { schema: schemas.of(healthSchema), example: { status: "ok", version: "0.2.0", store: "sqlite" } } },
    },
    ...writeErrors(["forbidden", "internal"], schemas),
  },
})
