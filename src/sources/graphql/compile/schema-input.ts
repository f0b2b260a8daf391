// Writes the types of arguments as JSON Schema, with each named type as one shared definition.
import { isEnumType, isInputObjectType, isListType, isNonNullType, isRequiredInputField, isScalarType, valueFromASTUntyped } from "graphql"
import type { GraphQLArgument, GraphQLEnumType, GraphQLInputField, GraphQLInputObjectType, GraphQLInputType } from "graphql"
import type { Limits } from "../../../core/limits.ts"
import type { JsonSchema, JsonText } from "../../../core/tool.ts"
import { builtInScalar, customScalar } from "./schema-scalar.ts"
import { descriptionOf, isReserved } from "./schema-text.ts"

/** An input object with more fields is not described but named. */
export const inputFieldsMax = 1_000
/** A longer choice is a lookup table, and its values are for the server to judge. */
const enumValuesMax = 5_000
/** A default value that is longer than this is left to the server to tell. */
const defaultCharsMax = 2_000

export type InputSchemas = {
  /** The value of one argument. */
  schemaOf(input: GraphQLArgument | GraphQLInputField): JsonSchema
  /** A reference to a type that inputs and outputs share: an enum or a scalar of the schema's own. */
  leafOf(type: GraphQLInputType): JsonSchema
  readonly definitions: Map<string, JsonText>
}

export function writeInputs(limits: Limits): InputSchemas {
  const definitions = new Map<string, JsonText>()
  const begun = new Set<string>()

  function schemaOf(input: GraphQLArgument | GraphQLInputField): JsonSchema {
    const description = descriptionOf(input, limits)
    const value = defaultOf(input)
    return {
      ...nullable(input.type),
      ...(description === "" ? {} : { description }),
      ...(value === undefined ? {} : { default: value }),
      ...(input.deprecationReason == null ? {} : { deprecated: true }),
    }
  }

  const nullable = (type: GraphQLInputType): JsonSchema => (isNonNullType(type) ? present(type.ofType) : orNull(present(type)))

  function present(type: GraphQLInputType): JsonSchema {
    if (isNonNullType(type)) return present(type.ofType)
    if (isListType(type)) return { type: "array", items: nullable(type.ofType) }
    return (isScalarType(type) ? builtInScalar(type.name, "input") : null) ?? reference(type)
  }

  function reference(type: GraphQLInputType): JsonSchema {
    if (isListType(type) || isNonNullType(type)) return present(type)
    const name = definitionName(type.name)
    if (!begun.has(name)) {
      begun.add(name)
      definitions.set(name, JSON.stringify(define(type)))
    }
    return { $ref: `#/$defs/${name}` }
  }

  function define(type: Exclude<GraphQLInputType, { ofType: unknown }>): JsonSchema {
    const description = descriptionOf(type, limits)
    if (isEnumType(type)) return enumSchema(type, description, limits)
    if (isInputObjectType(type)) return { ...objectSchema(type), ...(description === "" ? {} : { description }) }
    return customScalar(type, description)
  }

  function objectSchema(type: GraphQLInputObjectType): JsonSchema {
    const fields = Object.values(type.getFields()).filter((field) => !isReserved(field.name))
    if (fields.length > inputFieldsMax) return { type: "object" }
    if (type.isOneOf) return { oneOf: fields.map((field) => onlyField(field)) }
    const required = fields.filter(isRequiredInputField).map((field) => field.name)
    return {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    }
  }

  /** Exactly one field, and never null. */
  function onlyField(field: GraphQLInputField): JsonSchema {
    const description = descriptionOf(field, limits)
    const schema = { ...present(field.type), ...(description === "" ? {} : { description }) }
    return { type: "object", properties: { [field.name]: schema }, required: [field.name], additionalProperties: false }
  }

  return { schemaOf, leafOf: present, definitions }
}

/** A definition is looked up by its name, and `__proto__` is no name for that. */
export const definitionName = (type: string): string => (isReserved(type) ? `type.${type}` : type)

export function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema
  if (typeof type === "string") return { ...schema, type: [type, "null"] }
  if (Array.isArray(type)) return { ...schema, type: [...type, "null"] }
  return { anyOf: [schema, { type: "null" }] }
}

function enumSchema(type: GraphQLEnumType, description: string, limits: Limits): JsonSchema {
  const values = type.getValues()
  if (values.length > enumValuesMax) return { type: "string", description: description || `One of ${values.length} values.` }
  const described = values
    .map((value) => ({ name: value.name, text: descriptionOf(value, limits) }))
    .filter((value) => value.text !== "")
    .map((value) => `- ${value.name}: ${value.text.replaceAll(/\s+/g, " ")}`)
  const text = [description, ...described].filter((line) => line !== "").join("\n")
  return {
    type: "string",
    enum: values.map((value) => value.name),
    ...(text === "" ? {} : { description: text.slice(0, limits.descriptionCharsMax) }),
  }
}

function defaultOf(input: GraphQLArgument | GraphQLInputField): unknown {
  if (input.default?.literal === undefined) return undefined
  const value = valueFromASTUntyped(input.default.literal)
  return JSON.stringify(value).length > defaultCharsMax ? undefined : value
}
