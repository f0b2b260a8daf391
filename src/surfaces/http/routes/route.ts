// What a route of the API is: one value whose schemas check the requests and describe them in the OpenAPI document.
//
// Most routes answer once, with JSON. A route of events answers for as long as something happens.
import { z } from "zod"
import type { ErrorCode } from "../../../core/errors.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { RequestFacts } from "../../../core/request-facts.ts"
import { check } from "../request/check.ts"
import { queryKeys, readQuery } from "../request/query.ts"
import { bodySpellings, readSpellings } from "../request/spelling.ts"

type RouteTag =
  | "tools"
  | "registry"
  | "artifacts"
  | "credentials"
  | "pipelines"
  | "agents"
  | "models"
  | "executions"
  | "workspaces"
  | "approvals"
  | "notifications"
  | "policies"
  | "integrations"
  | "connections"
  | "oauth"
  | "people"
  | "tokens"
  | "sessions"
  | "sign-in"
  | "passkeys"
  | "audit"
  | "events"
  | "server"
  | "ids"
type Method = "get" | "post" | "put" | "patch" | "delete"

/** What a handler may answer: the documented shape, however deeply read-only. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

type Description = {
  /** Also the name of the method in the SDK. */
  readonly id: string
  readonly tag: RouteTag
  readonly method: Method
  /** Below `/api`, with `{name}` parameters. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Beyond those that every route can answer with. */
  readonly errors: readonly ErrorCode[]
}

type Body<Schema extends z.ZodType> = {
  readonly schema: Schema
  readonly bytesMax: number
  readonly examples: Record<string, unknown>
  /** Its fields may be written in snake_case too; what is in them stays as it is. */
  readonly spellings?: "both"
  /** It may be missing altogether. */
  readonly isOptional?: true
}
type Answer<Schema extends z.ZodType> = {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly schema: Schema
  readonly example: Frozen<z.output<Schema>>
}

type RouteSpec<Params extends z.ZodObject, Query extends z.ZodObject, Input extends z.ZodType, Output extends z.ZodType> = Description & {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body<Input>
  readonly answer: Answer<Output>
  readonly handle: (
    input: { readonly params: z.output<Params>; readonly query: z.output<Query>; readonly body: z.output<Input> },
    api: ExecutorApi,
    /** Aborted when the client goes away. */
    signal: AbortSignal,
    facts: RequestFacts,
  ) => Promise<Frozen<z.output<Output>>>
}

type RawInput = { readonly params: Record<string, string>; readonly search: string; readonly body: unknown }

/** One server-sent event: its type is the event's name, and its id is where a client that lost the stream goes on. */
export type StreamedEvent = { readonly type: string; readonly id?: string }

type EventRouteSpec<Params extends z.ZodObject, Event extends z.ZodType> = Description & {
  readonly params: Params
  readonly answer: Omit<Answer<Event>, "status">
  /** Events have ids, and a client may name the last one it read in `Last-Event-ID`. */
  readonly isResumable?: true
  readonly open: (
    input: { readonly params: z.output<Params>; readonly lastEventId: string | null },
    api: ExecutorApi,
    signal: AbortSignal,
  ) => AsyncIterable<StreamedEvent>
}

type RouteShape = Description & {
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: Body<z.ZodType> | null
  readonly answer: Answer<z.ZodType>
}

export type JsonRoute = RouteShape & {
  readonly kind: "json"
  /** Checks the input and answers; throws `invalid_request` before anything is done. The signal says that nobody waits for the answer. */
  readonly run: (raw: RawInput, api: ExecutorApi, signal: AbortSignal, facts: RequestFacts) => Promise<unknown>
}

export type EventRoute = RouteShape & {
  readonly kind: "events"
  /** As above; what is thrown while iterating is a refusal, or the end of the stream. */
  readonly isResumable?: true
  readonly open: (
    raw: RawInput & { readonly lastEventId: string | null },
    api: ExecutorApi,
    signal: AbortSignal,
  ) => AsyncIterable<StreamedEvent>
}

/** Answers with text that is written while it is read, however long it is. */
export type TextRoute = RouteShape & {
  readonly kind: "text"
  /** An example of each; the answer's schema is that of a line of the first. */
  readonly texts: Readonly<Record<string, string>>
  readonly open: (
    raw: RawInput,
    api: ExecutorApi,
    signal: AbortSignal,
  ) => { readonly headers: TextHeaders; readonly pieces: AsyncIterable<string> }
}
type TextHeaders = { readonly "content-type": string; readonly "content-disposition": string }

type TextRouteSpec<Query extends z.ZodObject, Line extends z.ZodType> = Description & {
  readonly query: Query
  readonly answer: Omit<Answer<Line>, "status">
  readonly texts: TextRoute["texts"]
  readonly open: (query: z.output<Query>, api: ExecutorApi, signal: AbortSignal) => ReturnType<TextRoute["open"]>
}

export type Route = JsonRoute | EventRoute | TextRoute

const noFields = z.strictObject({})
type NoFields = typeof noFields

export const noAnswer = (description: string): Answer<z.ZodUndefined> => ({
  status: 204,
  description,
  schema: z.undefined(),
  example: undefined,
})

export function defineRoute<
  Output extends z.ZodType,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Input extends z.ZodType = z.ZodUndefined,
>(spec: RouteSpec<Params, Query, Input, Output>): JsonRoute {
  const params = (spec.params ?? noFields) as Params // a spec without them has the default type, which is this one
  const query = (spec.query ?? noFields) as Query // as above
  const input = (spec.body?.schema ?? z.undefined()) as Input // as above
  const keys = queryKeys(query)
  const spellings = spec.body?.spellings === "both" ? bodySpellings(spec.body.schema) : null
  return {
    ...spec,
    kind: "json",
    params,
    query,
    body: spec.body ?? null,
    run: async (raw, api, signal, facts) =>
      spec.handle(
        {
          params: check(params, raw.params, "path"),
          query: check(query, readQuery(keys, raw.search), "query"),
          body: check(input, spellings === null ? raw.body : readSpellings(spellings, raw.body), "body"),
        },
        api,
        signal,
        facts,
      ),
  }
}

export function defineEventRoute<Params extends z.ZodObject, Event extends z.ZodType>(spec: EventRouteSpec<Params, Event>): EventRoute {
  const keys = queryKeys(noFields)
  return {
    ...spec,
    kind: "events",
    query: noFields,
    body: null,
    answer: { ...spec.answer, status: 200 },
    open(raw, api, signal) {
      readQuery(keys, raw.search)
      return spec.open({ params: check(spec.params, raw.params, "path"), lastEventId: raw.lastEventId }, api, signal)
    },
  }
}

/** The schema and the example of its answer are those of one line. */
export function defineTextRoute<Query extends z.ZodObject, Line extends z.ZodType>(spec: TextRouteSpec<Query, Line>): TextRoute {
  const keys = queryKeys(spec.query)
  return {
    ...spec,
    kind: "text",
    params: noFields,
    body: null,
    answer: { ...spec.answer, status: 200 },
    open: (raw, api, signal) => spec.open(check(spec.query, readQuery(keys, raw.search), "query"), api, signal),
  }
}
