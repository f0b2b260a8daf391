// Reads operations of OpenAPI 3.0, 3.1 and 3.2.
import type { ParameterStyle } from "../binding.ts"
import type { Operation } from "./operations.ts"
import { declaredParameters, parameterPlaces } from "./source.ts"
import type { BodySource, ContentSource, Defect, OperationReader, ParameterPlace, ParameterSource, ResponseSource } from "./source.ts"
import { childOf, isMissing, locationOf } from "../document/resolve.ts"
import type { DocumentFiles, Located } from "../document/resolve.ts"
import { isObject, objectAt, own, textAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"

const stylesOf: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
  querystring: ["form"],
}

/** More than any answer is offered in. */
const mediaTypesMax = 100

export const readOpenApi = (version: "3.0" | "3.1", files: DocumentFiles, warnings: Warnings): OperationReader => ({
  schemaHome: ["components", "schemas"],
  refSiblings: version === "3.0" ? "annotations" : "all",
  parameters: (operation) =>
    declaredParameters(operation, files, warnings)
      .map((at) => parameterOf(at, files, warnings))
      .filter((parameter) => parameter !== null),
  body: (operation) => bodyOf(operation, files, warnings),
  responses: (operation) => responsesOf(operation, files, warnings),
})

function parameterOf(at: Located & { readonly value: JsonObject }, files: DocumentFiles, warnings: Warnings): ParameterSource | null {
  const { value } = at
  const name = textAt(value, "name") ?? ""
  const place = parameterPlaces.find((known) => known === own(value, "in"))
  if (name === "" || place === undefined) {
    warnings.add(locationOf(at), "The parameter has no name or an unknown location; it was left out")
    return null
  }
  const content = contentsOf(at, files, warnings)[0] ?? null
  const allowed = stylesOf[place]
  const style = allowed.find((known) => known === own(value, "style")) ?? allowed[0] ?? "form"
  const explode = own(value, "explode")
  return {
    name,
    in: place,
    required: place === "path" || own(value, "required") === true,
    description: textAt(value, "description") ?? "",
    deprecated: own(value, "deprecated") === true,
    schema: content ? content.schema : own(value, "schema") === undefined ? null : childOf(at, "schema"),
    contentType: content?.mediaType ?? null,
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "deepObject",
    allowReserved: own(value, "allowReserved") === true,
  }
}

function bodyOf(operation: Operation, files: DocumentFiles, warnings: Warnings): BodySource | Defect | null {
  const declared = childOf(operation.at, "requestBody")
  if (declared.value === undefined || declared.value === null) return null
  const at = files.follow(declared)
  if (isMissing(at)) return { defect: `The request body's reference cannot be resolved: ${at.missing}`, at: locationOf(declared) }
  if (!isObject(at.value)) return { defect: "The request body is not an object", at: locationOf(declared) }
  const contents = contentsOf(at, files, warnings)
  if (contents.length === 0) return null
  return { at, required: own(at.value, "required") === true, description: textAt(at.value, "description") ?? "", contents }
}

function responsesOf(operation: Operation, files: DocumentFiles, warnings: Warnings): ResponseSource[] {
  const responses = childOf(operation.at, "responses")
  if (!isObject(responses.value)) return []
  return Object.keys(responses.value).flatMap((status) => {
    const at = files.follow(childOf(responses, status))
    if (!isMissing(at)) return [{ status, contents: contentsOf(at, files, warnings) }]
    warnings.add(locationOf(childOf(responses, status)), `The response's reference cannot be resolved: ${at.missing}`)
    return []
  })
}

/** What `content` offers. OpenAPI 3.2 may keep media types among the components, and describe the items of a stream. */
function contentsOf(at: Located, files: DocumentFiles, warnings: Warnings): ContentSource[] {
  const content = childOf(at, "content")
  if (content.value === undefined) return []
  if (!isObject(content.value)) {
    warnings.add(locationOf(content), "'content' is not a map of media types")
    return []
  }
  return Object.keys(content.value)
    .filter((mediaType) => !mediaType.startsWith("x-"))
    .slice(0, mediaTypesMax)
    .map((mediaType) => {
      const target = files.follow(childOf(content, mediaType))
      if (isMissing(target) || !isObject(target.value)) {
        warnings.add(locationOf(childOf(content, mediaType)), "The media type is not described by an object; any value is accepted")
        return { mediaType, schema: null, encoding: null }
      }
      const schema = ["schema", "itemSchema"].map((name) => childOf(target, name)).find((found) => found.value !== undefined)
      return { mediaType, schema: schema ?? null, encoding: objectAt(target.value, "encoding") }
    })
}
