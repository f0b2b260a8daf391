// Reads operations of Swagger 2.0, whose parameters are schemas themselves and whose body is one of them.
import { essenceOf } from "../../media-type.ts"
import type { Operation } from "./operations.ts"
import { declaredParameters } from "./source.ts"
import type { BodySource, ContentSource, OperationReader, ParameterSource, ResponseSource } from "./source.ts"
import { childOf, isMissing, locationOf } from "../document/resolve.ts"
import type { DocumentFiles, Located } from "../document/resolve.ts"
import { isObject, listAt, own, put, textAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"

type Declared = Located & { readonly value: JsonObject }

/** The members of a parameter that are no part of its schema. */
const parameterMembers: ReadonlySet<string> = new Set([
  "name",
  "in",
  "required",
  "description",
  "schema",
  "allowEmptyValue",
  "collectionFormat",
])
const formTypes: ReadonlySet<string> = new Set(["application/x-www-form-urlencoded", "multipart/form-data"])

/** More than any answer is offered in. */
const mediaTypesMax = 100

export function readSwagger(files: DocumentFiles, warnings: Warnings): OperationReader {
  const root = isObject(files.main.root) ? files.main.root : {}

  return {
    schemaHome: ["definitions"],
    refSiblings: "annotations",
    parameters: (operation) =>
      declaredParameters(operation, files, warnings)
        .filter((at) => !isBodyPart(at))
        .map((at) => parameterOf(at, warnings))
        .filter((parameter) => parameter !== null),
    body(operation) {
      const declared = declaredParameters(operation, files, warnings).filter(isBodyPart)
      const consumes = mediaTypes("consumes", operation.value, root)
      const whole = declared.find((at) => own(at.value, "in") === "body")
      if (whole) return wholeBody(whole, consumes)
      return declared.length === 0 ? null : formBody(declared, consumes, operation)
    },
    responses: (operation) => responsesOf(operation, mediaTypes("produces", operation.value, root), files, warnings),
  }
}

const isBodyPart = ({ value }: Declared): boolean => own(value, "in") === "body" || own(value, "in") === "formData"

function mediaTypes(member: "consumes" | "produces", operation: JsonObject, root: JsonObject): string[] {
  const listed = own(operation, member) === undefined ? listAt(root, member) : listAt(operation, member)
  return listed.slice(0, mediaTypesMax).filter((mediaType) => typeof mediaType === "string")
}

function parameterOf(at: Declared, warnings: Warnings): ParameterSource | null {
  const { value } = at
  const name = textAt(value, "name") ?? ""
  const place = (["path", "query", "header"] as const).find((known) => known === own(value, "in"))
  if (name === "" || place === undefined) {
    warnings.add(locationOf(at), "The parameter has no name or an unknown location; it was left out")
    return null
  }
  const format = collectionStyle(value)
  return {
    name,
    in: place,
    required: place === "path" || own(value, "required") === true,
    description: textAt(value, "description") ?? "",
    deprecated: false,
    schema: own(value, "schema") === undefined ? schemaOf(at) : childOf(at, "schema"),
    contentType: null,
    style: place === "query" ? format.style : "simple",
    explode: place === "query" && format.explode,
    allowReserved: false,
  }
}

function schemaOf(at: Declared): Declared {
  const schema: Record<string, unknown> = {}
  for (const name of Object.keys(at.value)) if (!parameterMembers.has(name)) put(schema, name, at.value[name])
  return { ...at, value: schema }
}

/** Tab-separated lists have no counterpart and are sent with commas. */
function collectionStyle(parameter: JsonObject): { style: "form" | "spaceDelimited" | "pipeDelimited"; explode: boolean } {
  switch (own(parameter, "collectionFormat")) {
    case "multi":
      return { style: "form", explode: true }
    case "ssv":
      return { style: "spaceDelimited", explode: false }
    case "pipes":
      return { style: "pipeDelimited", explode: false }
    default:
      return { style: "form", explode: false }
  }
}

function wholeBody(at: Declared, consumes: readonly string[]): BodySource {
  const schema = own(at.value, "schema") === undefined ? null : childOf(at, "schema")
  const types = consumes.length === 0 ? ["application/json"] : consumes
  return {
    at,
    required: own(at.value, "required") === true,
    description: textAt(at.value, "description") ?? "",
    contents: types.map((mediaType) => ({ mediaType, schema, encoding: null })),
  }
}

/** Form fields are one object; a file among them asks for multipart. */
function formBody(fields: readonly Declared[], consumes: readonly string[], operation: Operation): BodySource {
  const properties: Record<string, unknown> = {}
  const encoding: Record<string, unknown> = {}
  const required: string[] = []
  for (const field of fields) {
    const name = textAt(field.value, "name")
    if (name === null) continue
    const description = textAt(field.value, "description")
    put(properties, name, { ...schemaOf(field).value, ...(description === null ? {} : { description }) })
    if (own(field.value, "required") === true) required.push(name)
    if (own(field.value, "type") === "array") put(encoding, name, collectionStyle(field.value))
  }
  const hasFile = fields.some((field) => own(field.value, "type") === "file")
  const offered = consumes.filter(
    (mediaType) => formTypes.has(essenceOf(mediaType)) && !(hasFile && essenceOf(mediaType) !== "multipart/form-data"),
  )
  const types = offered.length > 0 ? offered : [hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"]
  const schema: Located = { ...operation.at, value: { type: "object", properties, required } }
  return {
    at: operation.at,
    required: required.length > 0,
    description: "",
    contents: types.map((mediaType) => ({ mediaType, schema, encoding })),
  }
}

function responsesOf(operation: Operation, produces: readonly string[], files: DocumentFiles, warnings: Warnings): ResponseSource[] {
  const responses = childOf(operation.at, "responses")
  if (!isObject(responses.value)) return []
  return Object.keys(responses.value).flatMap((status): ResponseSource[] => {
    const at = files.follow(childOf(responses, status))
    if (isMissing(at)) {
      warnings.add(locationOf(childOf(responses, status)), `The response's reference cannot be resolved: ${at.missing}`)
      return []
    }
    const declared = childOf(at, "schema")
    const schema = declared.value === undefined ? null : declared
    // Many documents do not describe an answer that there is all the same.
    const types = produces.length > 0 || schema === null ? produces : ["application/json"]
    return [{ status, contents: types.map((mediaType): ContentSource => ({ mediaType, schema, encoding: null })) }]
  })
}
