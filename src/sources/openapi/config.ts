// Parses the config of an OpenAPI integration, and takes a document that came inside it apart from it.
import { isRecord } from "../../core/json/record.ts"
import { describeIssue } from "../config-issue.ts"
import { z } from "zod"
import { ExecutorError } from "../../core/errors.ts"
import { defaultLimits } from "../../core/limits.ts"
import type { ParsedConfig } from "../source-adapter.ts"
import type { OpenApiConfig } from "./binding.ts"
import { claimsBundle } from "./document/bundle.ts"
import { parseText } from "./document/parse.ts"
import { documentServerUrls } from "./compile/server-literal.ts"
import { documentServersInThread } from "./compile/server-literal-thread.ts"

const patternsMax = 200
const text = z.string().max(8_192)
const patterns = z.array(z.string().min(1).max(1_000)).max(patternsMax)

const inlineObject = z.custom<Record<string, unknown>>(isRecord)

const configSchema = z.strictObject({
  spec: z.union([z.string(), inlineObject], "expected a URL, the text of a document, or the document as an object"),
  baseUrl: text.nullish(),
  headers: z
    .record(
      z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "is not the name of a header"),
      text.regex(/^[^\r\n\0]*$/, "must be one line"),
    )
    .nullish(),
  variables: z.record(z.string(), text).nullish(),
  include: patterns.nullish(),
  exclude: patterns.nullish(),
})

/** Up to this size a document is looked through at once; a longer one would hold up the server. */
const charsAtOnceMax = 100_000

export async function parseOpenApiConfig(input: unknown): Promise<ParsedConfig<OpenApiConfig>> {
  const parsed = configSchema.safeParse(input)
  if (!parsed.success) throw invalid(describeIssue(parsed.error.issues[0], `the fields are ${Object.keys(configSchema.shape).join(", ")}`))
  const { spec, headers, variables, include, exclude } = parsed.data
  const baseUrl = parsed.data.baseUrl ? checkUrl(parsed.data.baseUrl, "baseUrl") : null
  const source = readSpec(spec)
  const config: OpenApiConfig = {
    spec: source.kind === "url" ? source.url : null,
    baseUrl,
    headers: headers ?? {},
    variables: variables ?? {},
    include: include ?? [],
    exclude: exclude ?? [],
  }
  if (source.kind === "document" && claimsBundle(source.document))
    throw invalid("config.spec begins as Executor stores documents, which no document does: send the document itself")
  const literal = source.kind === "url" ? [source.url] : await serversOf(source.document, config.variables)
  const urls = [...new Set(baseUrl === null ? literal : [baseUrl, ...literal])]
  return { config, document: source.kind === "url" ? null : source.document, urls }
}

/** Of an inline document. */
async function serversOf(document: string, variables: OpenApiConfig["variables"]): Promise<string[]> {
  if (document.length > charsAtOnceMax) return documentServersInThread({ document, variables })
  return documentServerUrls(parseText(document, defaultLimits.documentNodesMax).value, variables)
}

type Spec = { readonly kind: "url"; readonly url: string } | { readonly kind: "document"; readonly document: string }

function readSpec(spec: string | Record<string, unknown>): Spec {
  if (typeof spec !== "string") return { kind: "document", document: serialise(spec) }
  const trimmed = spec.trim()
  if (/^https?:\/\/\S+$/i.test(trimmed)) return { kind: "url", url: checkUrl(trimmed, "spec") }
  const isJson = /^[[{]/.test(trimmed)
  const isYaml = /^["']?(openapi|swagger)["']?[ \t]*:/m.test(trimmed)
  if (!isJson && !isYaml) {
    throw invalid(
      "config.spec is neither an http(s) URL nor an OpenAPI document. Paths on the server are not read; send the text of the document",
    )
  }
  return { kind: "document", document: spec }
}

function serialise(spec: Record<string, unknown>): string {
  try {
    return JSON.stringify(spec)
  } catch {
    throw invalid("config.spec cannot be written as JSON: it is circular, or holds values that are not JSON")
  }
}

function checkUrl(value: string, field: string): string {
  const url = URL.parse(value.trim())
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw invalid(`config.${field} is not an absolute http(s) URL`)
  return value.trim()
}

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
