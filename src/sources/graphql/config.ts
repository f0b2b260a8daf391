// Parses the config of a GraphQL integration, and takes a schema that came inside it apart from it.
import { isRecord } from "../../core/json/record.ts"
import { describeIssue } from "../config-issue.ts"
import { z } from "zod"
import { ExecutorError } from "../../core/errors.ts"
import type { ParsedConfig } from "../source-adapter.ts"
import type { GraphQLConfig } from "./binding.ts"

const text = z.string().max(8_192)

const inlineObject = z.custom<Record<string, unknown>>(isRecord)

const configSchema = z.strictObject({
  endpoint: text,
  headers: z
    .record(
      z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "is not the name of a header"),
      text.regex(/^[^\r\n\0]*$/, "must be one line"),
    )
    .nullish(),
  sdl: z.union([z.string(), inlineObject], "expected the text of a schema").nullish(),
})

export function parseGraphQLConfig(input: unknown): ParsedConfig<GraphQLConfig> {
  const parsed = configSchema.safeParse(input)
  if (!parsed.success) throw invalid(describeIssue(parsed.error.issues[0], `the fields are ${Object.keys(configSchema.shape).join(", ")}`))
  const { headers, sdl } = parsed.data
  const endpoint = parsed.data.endpoint.trim()
  const url = URL.parse(endpoint)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw invalid("config.endpoint is not an absolute http(s) URL: specify the address that accepts queries")
  return { config: { endpoint, headers: headers ?? {} }, document: sdl == null ? null : readSdl(sdl), urls: [endpoint] }
}

/** People also have the answer of an introspection query, as text or as an object; it says the same. */
function readSdl(sdl: string | Record<string, unknown>): string {
  if (typeof sdl !== "string") return serialise(sdl)
  if (!sdl.includes("{")) throw invalid("config.sdl is not a GraphQL schema. Paths and URLs are not read; send the text of the schema")
  return sdl
}

function serialise(introspection: Record<string, unknown>): string {
  try {
    return JSON.stringify(introspection)
  } catch {
    throw invalid("config.sdl cannot be written as JSON: it is circular, or holds values that are not JSON")
  }
}

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
