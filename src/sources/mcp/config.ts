// Parses the config of an MCP integration: where its server is, or how it is started.
import { describeIssue } from "../config-issue.ts"
import { z } from "zod"
import { ExecutorError } from "../../core/errors.ts"
import type { ParsedConfig } from "../source-adapter.ts"

export type HttpConfig = {
  readonly transport: "http"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutSeconds: number | null
}
export type StdioConfig = {
  readonly transport: "stdio"
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | null
  readonly timeoutSeconds: number | null
}
export type McpConfig = HttpConfig | StdioConfig

const text = z.string().max(8_192)
/** The operating system's own words end at a NUL. */
const word = text.regex(/^[^\0]*$/, "must not hold a NUL")
const timeoutSeconds = z.number().positive().max(600).nullish()

const httpSchema = z.strictObject({
  transport: z.literal("http"),
  url: text,
  headers: z
    .record(
      z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "is not the name of a header"),
      text.regex(/^[^\r\n\0]*$/, "must be one line"),
    )
    .nullish(),
  timeoutSeconds,
})
const stdioSchema = z.strictObject({
  transport: z.literal("stdio"),
  command: word.min(1),
  args: z.array(word).max(1000).nullish(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is not the name of a variable"), word).nullish(),
  cwd: word.nullish(),
  timeoutSeconds,
})
const schemas = { http: httpSchema, stdio: stdioSchema }

export function parseMcpConfig(input: unknown): ParsedConfig<McpConfig> {
  const fields = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {} // read as unknown below
  // The files of other clients say it by the field alone.
  const transport = fields["transport"] ?? (fields["command"] === undefined ? (fields["url"] === undefined ? null : "http") : "stdio")
  if (transport === "http") return parseHttp({ ...fields, transport })
  if (transport === "stdio") return parseStdio({ ...fields, transport })
  throw invalid(
    'config.transport must be "http" (with url: streamable HTTP, or SSE where the server has only that) or "stdio" (with command)',
  )
}

function parseHttp(input: unknown): ParsedConfig<HttpConfig> {
  const parsed = httpSchema.safeParse(input)
  if (!parsed.success) throw invalid(describeIssue(parsed.error.issues[0], knownFields("http")))
  const { url, headers, timeoutSeconds: timeout } = parsed.data
  const place = URL.parse(url.trim())
  if (place === null || (place.protocol !== "http:" && place.protocol !== "https:"))
    throw invalid("config.url is not an absolute http(s) URL")
  const config: HttpConfig = { transport: "http", url: url.trim(), headers: headers ?? {}, timeoutSeconds: timeout ?? null }
  return { config, document: null, urls: [config.url] }
}

function parseStdio(input: unknown): ParsedConfig<StdioConfig> {
  const parsed = stdioSchema.safeParse(input)
  if (!parsed.success) throw invalid(describeIssue(parsed.error.issues[0], knownFields("stdio")))
  const { command, args, env, cwd, timeoutSeconds: timeout } = parsed.data
  const config: StdioConfig = {
    transport: "stdio",
    command,
    args: args ?? [],
    env: env ?? {},
    cwd: cwd ?? null,
    timeoutSeconds: timeout ?? null,
  }
  return { config, document: null, urls: [] }
}

/** Where its requests go; none for a program on this machine. */
export const originsOf = (config: McpConfig): string[] => (config.transport === "http" ? [new URL(config.url).origin] : [])

const knownFields = (transport: "http" | "stdio"): string =>
  `with transport "${transport}" the fields are ${Object.keys(schemas[transport].shape).join(", ")}`

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
