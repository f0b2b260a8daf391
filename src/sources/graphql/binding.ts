// How the arguments of one GraphQL tool become one operation: made by the compiler, stored with the tool, read by the caller.

/** The name of an argument, its type as the schema writes it, and whether it may be left out although it is not null. */
export type ArgEntry = readonly [name: string, type: string, hasDefault?: 1]
export type FieldEntry = readonly [name: string, type: string, args?: readonly ArgEntry[]]

/** `query.<field>` and `mutation.<field>`. */
export type FieldBinding = {
  readonly kind: "field"
  readonly operation: "query" | "mutation"
  readonly field: string
  readonly args: readonly ArgEntry[]
  /** What the field answers, as the schema writes it. */
  readonly type: string
  /** Null where the field answers a plain value. */
  readonly selection: FieldSelection | null
}

export type FieldSelection = {
  /** With its braces. */
  readonly text: string
  /** The argument that replaces it: `select`, unless the field has an argument of that name. */
  readonly arg: string
  /** Whose fields can be selected. */
  readonly on: string
}

/** `queriesRead`: no query of this schema runs mutations, so that one whose operation is a query only reads. */
export type RawBinding = { readonly kind: "raw"; readonly queriesRead?: boolean }

export type GraphQLBinding = FieldBinding | RawBinding

/** One type as far as a selection can be checked against it; kept with the tools as the definition `graphql.<name>`. */
export type TypeEntry =
  | {
      readonly kind: "object" | "interface"
      readonly fields: readonly FieldEntry[]
      readonly interfaces: readonly string[]
      /** The object types behind an interface. */
      readonly possible: readonly string[]
    }
  | { readonly kind: "union"; readonly possible: readonly string[] }
  | { readonly kind: "input"; readonly fields: readonly ArgEntry[]; readonly isOneOf: boolean }
  | { readonly kind: "enum"; readonly values: readonly string[] }

/** No type of a schema has a dot in its name, so that these never meet a schema's definition. */
export const entryName = (type: string): string => `graphql.${type}`

/** The config of an integration of kind `graphql`, after parsing. */
export type GraphQLConfig = {
  readonly endpoint: string
  /** Sent with every request to the endpoint. */
  readonly headers: Readonly<Record<string, string>>
}
