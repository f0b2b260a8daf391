// Leaves out the parts of an introspection result that would make all of it unreadable, and reports them.
import { parseConstValue } from "graphql"
import { isObject, listAt, own, textAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"

const validName = /^[_A-Za-z][_0-9A-Za-z]*$/
const notEnumNames: ReadonlySet<string> = new Set(["true", "false", "null"])

export function cleanIntrospection(schema: JsonObject, warnings: Warnings): JsonObject {
  const types = named(listAt(schema, "types"), "types", warnings).map((type) => cleanType(type, warnings))
  // Directives are not called, and servers describe them in many ways.
  return { ...schema, types, directives: [] }
}

function cleanType(type: JsonObject, warnings: Warnings): JsonObject {
  const at = textAt(type, "name") ?? ""
  const fields = own(type, "fields")
  const inputFields = own(type, "inputFields")
  const enumValues = own(type, "enumValues")
  return {
    ...type,
    ...(Array.isArray(fields)
      ? { fields: named(fields, at, warnings).map((field) => ({ ...field, args: inputs(listAt(field, "args"), at, warnings) })) }
      : {}),
    ...(Array.isArray(inputFields) ? { inputFields: inputs(inputFields, at, warnings) } : {}),
    ...(Array.isArray(enumValues)
      ? { enumValues: named(enumValues, at, warnings).filter((value) => !notEnumNames.has(textAt(value, "name") ?? "")) }
      : {}),
  }
}

function named(list: readonly unknown[], at: string, warnings: Warnings): JsonObject[] {
  return list.filter((entry): entry is JsonObject => {
    const name = isObject(entry) ? textAt(entry, "name") : null
    if (name !== null && validName.test(name)) return true
    warnings.add(at, `A member has no valid name (${JSON.stringify(name)}); it was left out`)
    return false
  })
}

/** Some servers write default values that are no GraphQL. */
const inputs = (list: readonly unknown[], at: string, warnings: Warnings): JsonObject[] =>
  named(list, at, warnings).map((input) => {
    const literal = textAt(input, "defaultValue")
    if (literal === null || isLiteral(literal)) return input
    warnings.add(at, `The default value of '${textAt(input, "name")}' cannot be read; it was left out`)
    return { ...input, defaultValue: null }
  })

function isLiteral(text: string): boolean {
  try {
    parseConstValue(text, { maxTokens: 1_000, noLocation: true })
    return true
  } catch (error) {
    if (error instanceof RangeError) throw error
    return false
  }
}
