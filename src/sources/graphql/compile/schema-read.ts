// Builds a schema from SDL or from an introspection result.
import { buildASTSchema, buildClientSchema, parse } from "graphql"
import type { GraphQLSchema, IntrospectionQuery } from "graphql"
import { ExecutorError } from "../../../core/errors.ts"
import type { Limits } from "../../../core/limits.ts"
import { checkSize } from "../../document-size.ts"
import { isObject, listAt, objectAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"
import { cleanIntrospection } from "./introspection-clean.ts"

/** GitHub's SDL has 106,000. */
const tokensMax = 2_000_000
/** Twelve times GitHub's. */
const typesMax = 20_000

/** Throws an `ExecutorError` that says why a text cannot be read. */
export function readSchema(text: string, warnings: Warnings, limits: Limits): GraphQLSchema {
  if (/^\s*</.test(text)) throw refuse("This is a web page, not a GraphQL schema")
  return /^\s*\{\s*"/.test(text) ? readIntrospection(text, warnings, limits) : readSdl(text)
}

/** Real schemas break small rules, GitHub's among them, so that only what cannot be understood is refused. */
function readSdl(text: string): GraphQLSchema {
  try {
    const document = parse(text, { noLocation: true, maxTokens: tokensMax })
    checkTypes(document.definitions.length)
    return buildASTSchema(document, { assumeValid: true, assumeValidSDL: true })
  } catch (error) {
    throw unreadable("The SDL cannot be read", error)
  }
}

function readIntrospection(text: string, warnings: Warnings, limits: Limits): GraphQLSchema {
  checkSize(text, "json", limits.documentNodesMax)
  const schema = schemaIn(parseJson(text))
  if (schema === null) throw refuse("This is JSON, but not the result of an introspection query: it has no __schema")
  checkTypes(listAt(schema, "types").length)
  try {
    // The library reads the answer member by member and says what is missing.
    return buildClientSchema({ __schema: cleanIntrospection(schema, warnings) } as unknown as IntrospectionQuery, { assumeValid: true })
  } catch (error) {
    throw unreadable("The result of the introspection query cannot be read", error)
  }
}

/** The answer itself, or what is under its `data`. */
export function schemaIn(answer: unknown): JsonObject | null {
  if (!isObject(answer)) return null
  return objectAt(objectAt(answer, "data") ?? answer, "__schema")
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable("The result of the introspection query is not JSON", error)
  }
}

/** Before anything is made of them. */
function checkTypes(count: number): void {
  if (count > typesMax) throw new ExecutorError("payload_too_large", `The schema has ${count} types; the maximum is ${typesMax}`)
}

function unreadable(what: string, error: unknown): Error {
  // Running out of stack or memory is not what the text says, but what it does.
  if (error instanceof RangeError || error instanceof ExecutorError) return error
  const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "unknown"
  return refuse(`${what}: ${reason.slice(0, 300)}`)
}

const refuse = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
