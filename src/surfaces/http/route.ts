// What a route of the API is: one value whose schemas check the requests and describe them in the OpenAPI document.
import { z } from "zod"
import type { ErrorCode } from "../../core/errors.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import { check } from "./request-check.ts"
import { queryKeys, readQuery } from "./request-query.ts"

type RouteTag = "tools" | "integrations" | "connections" | "tokens"
type Method = "get" | "post" | "patch" | "delete"

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

type Body<Schema extends z.ZodType> = { readonly schema: Schema; readonly bytesMax: number; readonly examples: Record<string, unknown> }
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
  ) => Promise<Frozen<z.output<Output>>>
}

type RawInput = { readonly params: Record<string, string>; readonly search: string; readonly body: unknown }

export type Route = Description & {
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: Body<z.ZodType> | null
  readonly answer: Answer<z.ZodType>
  /** Checks the input and answers; throws `invalid_request` before anything is done. */
  readonly run: (raw: RawInput, api: ExecutorApi) => Promise<unknown>
}

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
>(spec: RouteSpec<Params, Query, Input, Output>): Route {
  const params = (spec.params ?? noFields) as Params // a spec without them has the default type, which is this one
  const query = (spec.query ?? noFields) as Query // as above
  const input = (spec.body?.schema ?? z.undefined()) as Input // as above
  const keys = queryKeys(query)
  return {
    ...spec,
    params,
    query,
    body: spec.body ?? null,
    run: async (raw, api) =>
      spec.handle(
        {
          params: check(params, raw.params, "path"),
          query: check(query, readQuery(keys, raw.search), "query"),
          body: check(input, raw.body, "body"),
        },
        api,
      ),
  }
}
