// How the arguments of one OpenAPI tool become one HTTP request: made by the compiler, stored with the tool, read by the caller.

export type ParameterStyle = "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "simple" | "label" | "matrix"

export type BoundParameter = {
  /** The name in the request. */
  readonly name: string
  /** The name in the arguments, which differs when two locations use one name. */
  readonly arg: string
  readonly in: "path" | "query" | "header" | "cookie" | "querystring"
  readonly style: ParameterStyle
  readonly explode: boolean
  readonly allowReserved: boolean
  /** Set when the document describes the parameter by `content`: the value is serialised as this media type. */
  readonly contentType: string | null
}

/** How one property of a form or multipart body is written, where the document says so. */
export type BoundEncoding = {
  readonly contentType: string | null
  readonly style: ParameterStyle | null
  readonly explode: boolean | null
  readonly allowReserved: boolean
}

export type BoundBody = {
  /** The media type that is sent, as the document writes it. */
  readonly contentType: string
  readonly required: boolean
  /** `flat`: the body is made of the arguments named in `properties` (and, with `open`, of all that belong to no parameter). `whole`: it is the argument `arg`. */
  readonly form:
    | { readonly kind: "flat"; readonly properties: readonly string[]; readonly open: boolean }
    | { readonly kind: "whole"; readonly arg: string }
  readonly encoding: Readonly<Record<string, BoundEncoding>>
}

export type OpenApiBinding = {
  readonly method: string
  /** With `{name}` placeholders, as in the document. */
  readonly path: string
  /** Absolute base URLs with their variables filled in; the first is used unless the config has a `baseUrl`. */
  readonly servers: readonly string[]
  readonly parameters: readonly BoundParameter[]
  readonly body: BoundBody | null
  /** What `Accept` says: the media types of the successful answers, JSON first. */
  readonly accept: readonly string[]
  /** Set where the document says that the operation takes no credentials: none are sent. */
  readonly anonymous?: true
}

/** The config of an integration of kind `openapi`, after parsing. */
export type OpenApiConfig = {
  /** Where the document is fetched from; null when it came inside the config. */
  readonly spec: string | null
  readonly baseUrl: string | null
  /** Sent with every request to a confirmed origin, and with the request for the document. */
  readonly headers: Readonly<Record<string, string>>
  /** Values of server variables. */
  readonly variables: Readonly<Record<string, string>>
  /** Globs over tags (`tag:issues`), paths (`/repos/**`), tool names (`issues.*`) or operationIds (`issues/list-*`). */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}
