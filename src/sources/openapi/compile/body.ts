// Decides whether a request body is spread over the arguments or stays whole, and notes how it is sent.
import type { BoundBody, BoundEncoding, BoundParameter, ParameterStyle } from "../binding.ts"
import type { ContentKind } from "../../media-type.ts"
import type { InputDraft, InputParts } from "./input.ts"
import { concreteMediaType, isXml, mediaKind, preferredRequestType } from "./media.ts"
import type { BodySource, ContentSource } from "./source.ts"
import { childOf, isMissing } from "../document/resolve.ts"
import type { Located } from "../document/resolve.ts"
import { boundedText, isObject, listAt, objectAt, own, put, textAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import { fileInput, toolFileName } from "./schema/file.ts"
import { annotationKeywords, keywordRules } from "./schema/keywords.ts"
import type { SchemaObject } from "./schema/keywords.ts"
import { isReadOnly } from "./schema/read-only.ts"

/** With one of these a schema is no plain object: its properties do not stand side by side. */
const combiners = [
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "discriminator",
  "if",
  "patternProperties",
  "propertyNames",
  "dependentSchemas",
  "$dynamicRef",
]
const dependentNamesMax = 2_000
const propertiesMax = 2_000
const styles: readonly ParameterStyle[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"]

type PlainObject = { readonly at: Located; readonly names: readonly string[]; readonly value: JsonObject }

export function bindBody(body: BodySource, parameters: readonly BoundParameter[], draft: InputDraft, parts: InputParts): BoundBody {
  const mediaType = preferredRequestType(body.contents.map((content) => content.mediaType)) ?? "application/json"
  const content = body.contents.find((offered) => offered.mediaType === mediaType) ?? { mediaType, schema: null, encoding: null }
  const kind = mediaKind(mediaType)
  const description = boundedText(body.description, parts.limits.descriptionCharsMax)
  const object = isSpreadable(kind) && content.schema !== null ? plainObject(content.schema, parameters, parts) : null
  const common = { contentType: concreteMediaType(mediaType), required: body.required, encoding: encodingsOf(content) }
  if (object) {
    if (description !== "") draft.extra.description = description
    Object.assign(draft.extra, countBounds(object, body.required, parameters, draft))
    return { ...common, form: spread(object, kind, body.required, draft, parts) }
  }
  const arg = bodyName(draft)
  const schema = wholeSchema(content, kind, draft, parts)
  put(draft.properties, arg, description === "" ? schema : { ...schema, description })
  if (body.required) draft.required.push(arg)
  return { ...common, form: { kind: "whole", arg } }
}

const isSpreadable = (kind: ContentKind): boolean => kind === "json" || kind === "form" || kind === "multipart"

/** The body's object if its properties can stand among the arguments, else null. */
function plainObject(schema: Located, parameters: readonly BoundParameter[], { files, refSiblings }: InputParts): PlainObject | null {
  const at = files.follow(schema)
  if (refSiblings === "all" && isExtendedReference(schema.value)) return null
  if (isMissing(at) || !isObject(at.value)) return null
  const { value } = at
  const type = own(value, "type")
  const isObjectType =
    type === undefined || type === "object" || (Array.isArray(type) && type.every((name) => name === "object" || name === "null"))
  if (!isObjectType || combiners.some((keyword) => own(value, keyword) !== undefined)) return null
  const properties = objectAt(value, "properties")
  // An object of which nothing is said can only be given as one.
  if (properties === null && !isOpen(value)) return null
  const members = Object.keys(properties ?? {})
  const unlisted = requiredUnlisted(value, properties)
  if (members.length + unlisted.length > propertiesMax) return null
  const names = [...members.filter((name) => !isReadOnly(childOf(at, "properties", name), files)), ...unlisted]
  const taken = new Set(parameters.flatMap((parameter) => [parameter.name, parameter.arg]))
  return names.some((name) => taken.has(name)) ? null : { at, names, value }
}

/** A document may demand what it does not describe, and the upstream then wants it; a closed object cannot have it. */
function requiredUnlisted(schema: JsonObject, properties: JsonObject | null): string[] {
  if (own(schema, "additionalProperties") === false) return []
  const names = listAt(schema, "required").filter((name) => typeof name === "string")
  return [...new Set(names)].filter((name) => properties === null || !Object.hasOwn(properties, name))
}

/** From 3.1 on, what stands beside a `$ref` holds as well. */
const isExtendedReference = (schema: unknown): boolean =>
  isObject(schema) &&
  own(schema, "$ref") !== undefined &&
  Object.keys(schema).some((keyword) => keywordRules.has(keyword) && !annotationKeywords.has(keyword))

const isOpen = (schema: JsonObject): boolean => {
  const additional = own(schema, "additionalProperties")
  return additional === true || isObject(additional)
}

function spread(object: PlainObject, kind: ContentKind, isRequired: boolean, draft: InputDraft, parts: InputParts): BoundBody["form"] {
  const { at, names, value } = object
  const files = kind === "multipart" ? "toolFile" : "text"
  const add = (place: Located): SchemaObject => {
    const emitted = parts.emit(place, { files, direction: "input" })
    for (const ref of emitted.refs) draft.refs.add(ref)
    return emitted.schema
  }
  const additional = own(value, "additionalProperties")
  const others = isObject(additional) ? add(childOf(at, "additionalProperties")) : null
  for (const name of names) {
    const place = childOf(at, "properties", name)
    put(draft.properties, name, place.value === undefined ? (others ?? {}) : add(place))
  }
  const demanded = new Set<unknown>(listAt(value, "required"))
  const required = names.filter((name) => demanded.has(name))
  if (isRequired) draft.required.push(...required)
  // An optional body may be left out, but not given in part.
  else if (required.length > 0 && required.length * names.length <= dependentNamesMax)
    draft.extra.dependentRequired = givenTogether(names, required)
  const open = isOpen(value)
  if (open) draft.extra.additionalProperties = others ?? true
  return { kind: "flat", properties: names, open }
}

/** How many properties a body may have says something of the arguments only where the number of the others is fixed. */
function countBounds(object: PlainObject, isRequired: boolean, parameters: readonly BoundParameter[], draft: InputDraft): SchemaObject {
  if (draft.required.length < parameters.length) return {}
  const boundOf = (keyword: string): number | null => {
    const value = own(object.value, keyword)
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
  }
  const least = boundOf("minProperties")
  const most = boundOf("maxProperties")
  // A body that may be left out may have none, and what is read-only cannot be given.
  const isReachable = least !== null && isRequired && (isOpen(object.value) || least <= object.names.length)
  return {
    ...(isReachable ? { minProperties: least + parameters.length } : {}),
    ...(most === null ? {} : { maxProperties: most + parameters.length }),
  }
}

function givenTogether(names: readonly string[], required: readonly string[]): Record<string, unknown> {
  const dependent: Record<string, unknown> = {}
  for (const name of names) {
    const others = required.filter((other) => other !== name)
    if (others.length > 0) put(dependent, name, others)
  }
  return dependent
}

function bodyName(draft: InputDraft): string {
  let name = Object.hasOwn(draft.properties, "body") ? "requestBody" : "body"
  while (Object.hasOwn(draft.properties, name)) name += "_"
  return name
}

function wholeSchema(content: ContentSource, kind: ContentKind, draft: InputDraft, parts: InputParts): SchemaObject {
  if (kind === "binary") {
    draft.refs.add(toolFileName)
    return fileInput("")
  }
  if (kind === "text") return { type: "string", ...(isXml(content.mediaType) ? { description: "The XML text." } : {}) }
  if (kind === "json_lines") return { type: ["array", "string"], description: "A list of values, or their lines as one text." }
  if (kind === "json_seq" || kind === "events") return { type: "string" }
  if (kind !== "json" && !mayBeObject(content.schema, parts)) return formFields(kind)
  if (content.schema === null) return {}
  const emitted = parts.emit(content.schema, { files: kind === "multipart" ? "toolFile" : "text", direction: "input" })
  for (const ref of emitted.refs) draft.refs.add(ref)
  return emitted.schema
}

/** A form has fields even where the document describes it as a text, or not at all. */
const formFields = (kind: ContentKind): SchemaObject => ({
  type: kind === "multipart" ? "object" : ["object", "string"],
  description: kind === "multipart" ? "The fields of the form." : "The fields of the form, or its text as it is sent.",
})

function mayBeObject(schema: Located | null, { files }: InputParts): boolean {
  if (schema === null) return false
  const at = files.follow(schema)
  const type = !isMissing(at) && isObject(at.value) ? own(at.value, "type") : undefined
  return type === undefined || [type].flat().includes("object")
}

function encodingsOf(content: ContentSource): BoundBody["encoding"] {
  const encodings: Record<string, BoundEncoding> = {}
  for (const name of Object.keys(content.encoding ?? {})) {
    const encoding = content.encoding ? objectAt(content.encoding, name) : null
    if (!encoding) continue
    const explode = own(encoding, "explode")
    put(encodings, name, {
      contentType: textAt(encoding, "contentType"),
      style: styles.find((style) => style === own(encoding, "style")) ?? null,
      explode: typeof explode === "boolean" ? explode : null,
      allowReserved: own(encoding, "allowReserved") === true,
    } satisfies BoundEncoding)
  }
  return encodings
}
