// Prepares operations as Prism reads them, where it departs from the specification or is less strict than we want.
import type { getHttpOperationsFromSpec } from "@stoplight/prism-http"
import { isRecord } from "./arguments-schema.ts"

export type Operation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]
type Parts = NonNullable<Operation["request"]>
type Parameter = NonNullable<Parts["query"]>[number] | NonNullable<Parts["headers"]>[number] | NonNullable<Parts["path"]>[number]

/** "If in is `header` and the name field is `Accept`, `Content-Type` or `Authorization`, the parameter definition SHALL be ignored." */
const ignoredHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"])

/** Where requests begin and end, and who they are from, is not for arguments to say. */
const reservedHeaders: ReadonlySet<string> = new Set([
  ...ignoredHeaders,
  "cookie",
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
])

export function adaptOperation(operation: Operation, version: "openapi" | "swagger"): Operation {
  return withParts(operation, ({ path, query, headers }) => ({
    ...(path ? { path: path.map(adaptParameter) } : {}),
    ...(query ? { query: query.map(adaptParameter) } : {}),
    ...(headers
      ? { headers: headers.filter(({ name }) => version === "swagger" || !ignoredHeaders.has(name.toLowerCase())).map(adaptParameter) }
      : {}),
  }))
}

/** Makes everything required that arguments can bring, so that the judge misses what does not arrive. */
export function demandAll(operation: Operation): Operation {
  return withParts(operation, ({ query, headers, body }) => ({
    ...(query ? { query: query.map((parameter) => ({ ...parameter, required: true })) } : {}),
    ...(headers
      ? {
          headers: headers.map((parameter) => ({
            ...parameter,
            required: parameter.required === true || !reservedHeaders.has(parameter.name.toLowerCase()),
          })),
        }
      : {}),
    ...(body?.contents?.some(({ schema }) => saysSomething(schema)) ? { body: { ...body, required: true } } : {}),
  }))
}

const withParts = (operation: Operation, change: (parts: Parts) => Partial<Parts>): Operation => ({
  ...operation,
  request: { ...operation.request, ...change(operation.request ?? {}) },
})

/** An object without any property needs no body. */
const saysSomething = (schema: unknown): boolean =>
  !isRecord(schema) || !isRecord(schema["properties"]) || Object.keys(schema["properties"]).length > 0

/** Written as text, because the names of styles are an enum that Prism does not export. */
const formStyles: ReadonlySet<string> = new Set(["form"])

/**
 * Prism splits a text into a list or an object only where that is the one type; in a parameter there is no null anyway.
 * It also takes `form` for not exploded where the document is silent, against the default of OpenAPI 3.
 */
function adaptParameter<P extends Parameter>(parameter: P): P {
  const type = parameter.schema?.type
  const [only, ...others] = Array.isArray(type) ? type.filter((name) => name !== "null") : []
  const schema = only === undefined || others.length > 0 ? parameter.schema : { ...parameter.schema, type: only }
  const isExploded = formStyles.has(parameter.style) && parameter.explode === undefined
  return { ...parameter, ...(schema ? { schema } : {}), ...(isExploded ? { explode: true } : {}) }
}
