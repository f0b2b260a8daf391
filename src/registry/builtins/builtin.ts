// What the built-in tools have in common: where they come from, and the parts that they work with.
import type { StaticCall, StaticTool } from "../../catalog/static-tool.ts"
import { object } from "../../catalog/builtins/schema.ts"
import type { Limits } from "../../core/limits.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { Effect, JsonSchema } from "../../core/tool.ts"
import { titleOfText } from "../../core/text/title-case.ts"
import type { Clock } from "../../io/clock.ts"
import type { Log } from "../../io/log.ts"
import type { Outbound } from "../../io/network/outbound.ts"
import type { FunctionRegistry } from "../functions/functions.ts"
import type { PipelineQuery } from "./pipeline-query.ts"
import type { WebPages } from "./web-fetch/pages.ts"
import type { Transforms } from "./json-transform/transforms.ts"
import type { BuiltinSettings, SearchKeyParts } from "./web-search/search-key.ts"

export type BuiltinParts = SearchKeyParts & {
  /** Reaches no private address, unless an operator has allowed it for everybody. */
  readonly outbound: Outbound
  readonly limits: Limits
  readonly clock: Clock
  readonly log: Log
  readonly version: string
  readonly functions: FunctionRegistry
  readonly pipelines: PipelineQuery
  readonly pages: WebPages
  readonly transforms: Transforms
}

export const builtinKeys = [
  "retrieval_pipeline",
  "http_request",
  "function_call",
  "mcp_call",
  "web_fetch",
  "web_search",
  "json_transform",
  "datetime_utils",
] as const
export type BuiltinKey = (typeof builtinKeys)[number]

/** The first segment of their names. */
export const builtinSlug = "builtin"

const source = {
  name: "Built-in tools",
  description: "Tools that come with Executor: web pages, HTTP and MCP calls, functions, JSON, dates and retrieval.",
}

export type BuiltinDefinition = {
  readonly key: BuiltinKey
  readonly title?: string
  readonly description: string
  readonly effect: Effect
  readonly effectOf?: (args: Readonly<Record<string, unknown>>) => Effect
  /** The argument that says where a call goes to: such a call asks, whatever it does there. */
  readonly addressArg?: string
  readonly readArgs?: NonNullable<StaticTool["readArgs"]>
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** `settings`: of the registry tool that is made of it. */
  call(request: StaticCall, settings: BuiltinSettings): Promise<ToolResult>
}

/** The same for everybody, or called with the settings of a registry tool. */
export type BuiltinTool = StaticTool & { readonly key: BuiltinKey; readonly callWith: BuiltinDefinition["call"] }

export const noSettings: BuiltinSettings = { apiKey: null, credential: null }

export const toBuiltin = (definition: BuiltinDefinition): BuiltinTool => ({
  key: definition.key,
  fqid: `${builtinSlug}.${definition.key}`,
  pluginId: builtinSlug,
  source,
  title: definition.title ?? titleOfText(definition.key),
  description: definition.description,
  effect: definition.effect,
  ...(definition.effectOf === undefined ? {} : { effectOf: definition.effectOf }),
  ...(definition.addressArg === undefined ? {} : { addressArg: definition.addressArg }),
  ...(definition.readArgs === undefined ? {} : { readArgs: definition.readArgs }),
  requiresApproval: definition.effect !== "read" || definition.addressArg !== undefined,
  alwaysAsks: false,
  audience: "everyone",
  mayElicit: false,
  inputSchema: definition.input,
  outputSchema: definition.output,
  call: (request) => definition.call(request, noSettings),
  callWith: (request, settings) => definition.call(request, settings),
})

export const input = object
export const anyJson = { description: "Any JSON value." }
export const stringMap = { type: "object", additionalProperties: { type: "string" } }
/** Longer than any URL that servers accept. */
export const urlText = { type: "string", minLength: 1, maxLength: 8192 }

export const timeoutSeconds = (limits: Limits): JsonSchema => ({
  type: "number",
  exclusiveMinimum: 0,
  maximum: limits.executionWallMsMax / 1000,
  description: "Seconds to wait at most; the call's own limit counts where it is shorter.",
})

/** What the caller wants, within what the call may take. */
export const timeoutOf = (seconds: unknown, timeoutMs: number): number =>
  typeof seconds === "number" ? Math.min(seconds * 1000, timeoutMs) : timeoutMs

export function checkUrl(text: unknown, name: string): { readonly ok: true; readonly url: URL } | ToolFailure {
  const url = URL.parse(String(text))
  const problem =
    url === null
      ? "is not an absolute URL such as https://example.com/page"
      : url.protocol !== "https:" && url.protocol !== "http:"
        ? "must begin with https:// or http://"
        : url.username !== "" || url.password !== ""
          ? "must not hold a user name or password"
          : null
  if (url !== null && problem === null) return { ok: true, url }
  const message = `The argument '${name}' ${problem}`
  return fail("invalid_arguments", message, { details: { issues: [{ path: name, code: "invalid_value", message }] } })
}
