// The parts of an operation in one form, whichever version of the specification describes them.
import type { ParameterStyle } from "../binding.ts"
import type { Operation } from "./operations.ts"
import { childOf, isMissing, locationOf } from "../document/resolve.ts"
import type { DocumentFiles, Located } from "../document/resolve.ts"
import { isObject, textAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"

export const parameterPlaces = ["path", "query", "header", "cookie", "querystring"] as const
export type ParameterPlace = (typeof parameterPlaces)[number]

export type ParameterSource = {
  readonly name: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly description: string
  readonly deprecated: boolean
  /** Null where the document gives none: any value is accepted. */
  readonly schema: Located | null
  readonly contentType: string | null
  readonly style: ParameterStyle
  readonly explode: boolean
  readonly allowReserved: boolean
}

export type ContentSource = { readonly mediaType: string; readonly schema: Located | null; readonly encoding: JsonObject | null }

export type BodySource = {
  readonly at: Located
  readonly required: boolean
  readonly description: string
  readonly contents: readonly ContentSource[]
}

export type ResponseSource = { readonly status: string; readonly contents: readonly ContentSource[] }

/** Something without which the operation would be called wrongly. */
export type Defect = { readonly defect: string; readonly at: string }

/** How one version of the specification is read. */
export type OperationReader = {
  /** Where the document keeps its schemas. */
  readonly schemaHome: readonly string[]
  readonly refSiblings: "annotations" | "all"
  parameters(operation: Operation): ParameterSource[]
  body(operation: Operation): BodySource | Defect | null
  responses(operation: Operation): ResponseSource[]
}

/** More than any author wrote by hand or a person could fill in. */
const parametersMax = 2_000

/** The parameters that hold for an operation, its own before those of its path; `in` and `name` say which are the same. */
export function declaredParameters(
  operation: Operation,
  files: DocumentFiles,
  warnings: Warnings,
): (Located & { readonly value: JsonObject })[] {
  const found = new Map<string, Located & { readonly value: JsonObject }>()
  for (const owner of [operation.at, ...operation.pathItems]) {
    const list = childOf(owner, "parameters")
    if (list.value !== undefined && !Array.isArray(list.value)) warnings.add(locationOf(list), "'parameters' is not a list")
    const seenHere = new Set<string>()
    const items: readonly unknown[] = Array.isArray(list.value) ? list.value : []
    if (items.length > parametersMax)
      warnings.add(locationOf(list), `There are more than ${parametersMax} parameters; the others are left out`)
    for (const index of items.slice(0, parametersMax).keys()) {
      const at = childOf(list, String(index))
      const target = files.follow(at)
      if (isMissing(target))
        warnings.add(locationOf(at), `The parameter's reference cannot be resolved: ${target.missing}; it was left out`)
      else if (!isObject(target.value)) warnings.add(locationOf(at), "The parameter is not an object; it was left out")
      else {
        const key = parameterKey(target.value)
        if (seenHere.has(key)) warnings.add(locationOf(at), "The parameter is given twice; the first one counts")
        seenHere.add(key)
        if (!found.has(key)) found.set(key, { ...target, value: target.value })
      }
    }
  }
  return [...found.values()]
}

/** Header names do not know capitals; there is one body, whatever it is called. */
function parameterKey(parameter: JsonObject): string {
  const place = textAt(parameter, "in") ?? ""
  const name = textAt(parameter, "name") ?? ""
  if (place === "body") return "body"
  return `${place} ${place === "header" ? name.toLowerCase() : name}`
}
