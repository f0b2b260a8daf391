// The interface that schema libraries share (Standard Schema and Standard JSON Schema, version 1), as far as plugins use it.

/** `{}` is what every library's own schema type is assignable to; `types` exists for inference alone. */
export type StandardSchema<Input = unknown, Output = Input> = {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** Where the library can say in JSON Schema what it checks. */
    readonly jsonSchema?: SchemaConverter | undefined
  }
}

export type ConverterOptions = { readonly target: string; readonly libraryOptions?: Record<string, unknown> | undefined }
export type SchemaConverter = {
  readonly input: (options: ConverterOptions) => Record<string, unknown>
  readonly output: (options: ConverterOptions) => Record<string, unknown>
}

export type SchemaResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }

export type SchemaIssue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What a handler gets: the value after defaults and transformations. */
export type InferOutput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"]
/** What a handler may answer: the value before them. */
export type InferInput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["input"]

export function isStandardSchema(value: unknown): value is StandardSchema {
  // A schema of arktype is a function.
  if ((typeof value !== "object" && typeof value !== "function") || value === null || !("~standard" in value)) return false
  const standard = value["~standard"]
  return typeof standard === "object" && standard !== null && "validate" in standard && typeof standard.validate === "function"
}
