// Joins parameters and body of an operation into one object of arguments, and notes how each is sent.
import type { Limits } from "../../../core/limits.ts"
import type { BoundBody, BoundParameter } from "../binding.ts"
import { bindBody } from "./body.ts"
import type { Operation } from "./operations.ts"
import { parameterPlaces } from "./source.ts"
import type { BodySource, ParameterSource } from "./source.ts"
import { locationOf } from "../document/resolve.ts"
import type { DocumentFiles } from "../document/resolve.ts"
import { boundedText, put } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"
import type { SchemaEmitter } from "./schema/emit.ts"
import type { SchemaObject } from "./schema/keywords.ts"

export type InputParts = {
  readonly files: DocumentFiles
  readonly emit: SchemaEmitter
  readonly warnings: Warnings
  readonly limits: Limits
  /** Before 3.1 what stands beside a `$ref` is ignored, but for annotations. */
  readonly refSiblings: "annotations" | "all"
}

/** The arguments as they are collected: their schemas by name, and the definitions those refer to. */
export type InputDraft = {
  readonly properties: Record<string, unknown>
  readonly required: string[]
  readonly refs: Set<string>
  /** Keywords that a flat body adds to the whole. */
  readonly extra: SchemaObject
}

export type CompiledInput = {
  readonly schema: SchemaObject
  readonly refs: ReadonlySet<string>
  readonly parameters: readonly BoundParameter[]
  readonly body: BoundBody | null
}

/** `Accept`, `Content-Type` and `Authorization` are ignored, as OpenAPI says; the others may not be set by an argument. */
const headersNotArguments: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "authorization",
  "cookie",
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
])

export function compileInput(
  operation: Operation,
  declared: readonly ParameterSource[],
  body: BodySource | null,
  parts: InputParts,
): CompiledInput {
  const draft: InputDraft = { properties: {}, required: [], refs: new Set(), extra: {} }
  const parameters = bindParameters(usableParameters(operation, declared, parts.warnings), draft, parts)
  const bound = body === null ? null : bindBody(body, parameters, draft, parts)
  const { properties, required, refs, extra } = draft
  const schema: SchemaObject = {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...extra,
  }
  return { schema, refs, parameters, body: bound }
}

/** HTTP has no way to write another name. */
const headerToken = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

const isUnsendable = (parameter: ParameterSource): boolean => parameter.in === "header" && !headerToken.test(parameter.name)

/** The name of a parameter that is demanded and that no request can carry. */
export const unsendableName = (declared: readonly ParameterSource[]): string | null =>
  declared.find((parameter) => parameter.required && isUnsendable(parameter))?.name ?? null

export const templateNames = (path: string): Set<string> => new Set([...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? ""))

/** Those that can be sent, in the order in which they claim a name. */
function usableParameters(operation: Operation, declared: readonly ParameterSource[], warnings: Warnings): ParameterSource[] {
  const where = locationOf(operation.at)
  const template = templateNames(operation.path)
  const usable = declared.filter((parameter) => {
    if (isUnsendable(parameter)) {
      warnings.add(where, `'${parameter.name}' is not the name of a header; the parameter was left out`)
      return false
    }
    if (parameter.in === "header") return !headersNotArguments.has(parameter.name.toLowerCase())
    if (parameter.in !== "path" || template.has(parameter.name)) return true
    warnings.add(where, `The path has no place for its parameter '${parameter.name}'; it was left out`)
    return false
  })
  const inPath = new Set(usable.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name))
  for (const name of template) {
    if (inPath.has(name)) continue
    warnings.add(where, `The path's parameter '${name}' is not declared; it is treated as a string`)
    usable.push(undeclaredParameter(name, operation))
  }
  return parameterPlaces.flatMap((place) => usable.filter((parameter) => parameter.in === place))
}

const undeclaredParameter = (name: string, operation: Operation): ParameterSource => ({
  name,
  in: "path",
  required: true,
  description: "",
  deprecated: false,
  schema: { ...operation.at, value: { type: "string" } },
  contentType: null,
  style: "simple",
  explode: false,
  allowReserved: false,
})

function bindParameters(parameters: readonly ParameterSource[], draft: InputDraft, parts: InputParts): BoundParameter[] {
  const taken = new Set<string>()
  const names = new Set(parameters.map((parameter) => parameter.name))
  return parameters.map((parameter) => {
    // The first place keeps the name; a suffix must not hit another parameter's own name.
    let arg = taken.has(parameter.name) ? `${parameter.name}_${parameter.in}` : parameter.name
    while (taken.has(arg) || (arg !== parameter.name && names.has(arg))) arg += "_"
    taken.add(arg)
    put(draft.properties, arg, parameterSchema(parameter, draft, parts))
    if (parameter.required) draft.required.push(arg)
    const { name, in: place, style, explode, allowReserved, contentType } = parameter
    return { name, arg, in: place, style, explode, allowReserved, contentType }
  })
}

function parameterSchema(parameter: ParameterSource, draft: InputDraft, parts: InputParts): SchemaObject {
  const emitted = parameter.schema === null ? null : parts.emit(parameter.schema, { direction: "input" })
  for (const ref of emitted?.refs ?? []) draft.refs.add(ref)
  const description = boundedText(parameter.description, parts.limits.descriptionCharsMax)
  return {
    ...emitted?.schema,
    ...(description === "" ? {} : { description }),
    ...(parameter.deprecated ? { deprecated: true } : {}),
  }
}
