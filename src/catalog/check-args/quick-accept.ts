// Accepts plain arguments without the validator: most calls send a flat object of texts and numbers.
//
// It may only say yes when the validator would; "no" means "not sure", and the validator decides. Each value is
// looked at once, so its cost follows the size of the arguments, whatever the schema is.
import { isNever, isUniqueUpTo } from "./schema-node.ts"
import type { SchemaNode, SubSchema } from "./schema-node.ts"
import type { Lookup, SchemaDocument } from "./schema-sanitise.ts"
import { isRecord } from "./schema-ref.ts"

export type Accepts = (value: unknown) => boolean

const plainKeywords = new Set(
  "cost title type enum allOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems items required properties additionalProperties".split(
    " ",
  ),
)

const always: Accepts = () => true
const unsure: Accepts = () => false

export function quickAccept(document: SchemaDocument): Accepts {
  const byRef = new Map<string, Accepts>()
  return acceptsOf(document.root, document.lookup, byRef)
}

function acceptsOf(schema: SubSchema, lookup: Lookup, byRef: Map<string, Accepts>): Accepts {
  if (schema === true) return always
  if (schema.$ref !== undefined) return acceptsRef(schema, schema.$ref, lookup, byRef)
  if (!Object.keys(schema).every((keyword) => plainKeywords.has(keyword))) return unsure
  if (schema.allOf !== undefined && !(schema.allOf.length === 1 && isUniqueUpTo(schema.allOf[0]))) return unsure
  const acceptsKind = acceptsType(schema)
  const values = schema.enum === undefined ? null : plainValues(schema.enum)
  const acceptsArray = arrayAccept(schema, lookup, byRef)
  const acceptsObject = objectAccept(schema, lookup, byRef)
  return (value) => {
    if (!acceptsKind(value) || (values !== null && !values.has(value))) return false
    if (typeof value === "string") return acceptsText(schema, value)
    if (typeof value === "number") return acceptsNumber(schema, value)
    if (Array.isArray(value)) return acceptsArray(value)
    return isRecord(value) ? acceptsObject(value) : true
  }
}

/** Built on first use. A reference that leads to another one is not followed: the two could be a loop. */
function acceptsRef(node: SchemaNode, ref: string, lookup: Lookup, byRef: Map<string, Accepts>): Accepts {
  if (Object.keys(node).some((keyword) => keyword !== "$ref" && keyword !== "cost" && keyword !== "title")) return unsure
  return (value) => {
    let accepts = byRef.get(ref)
    if (accepts === undefined) {
      const target = lookup[ref] ?? true
      accepts = target !== true && target.$ref !== undefined ? unsure : acceptsOf(target, lookup, byRef)
      byRef.set(ref, accepts)
    }
    return accepts(value)
  }
}

/** Null-valued members are plain; objects and arrays would have to be compared deeply. */
const plainValues = (values: readonly unknown[]): ReadonlySet<unknown> =>
  new Set(values.filter((value) => typeof value !== "object" || value === null))

function acceptsType(node: SchemaNode): Accepts {
  if (node.type === undefined) return always
  const types = new Set([node.type].flat())
  const takesIntegers = types.has("integer")
  return (value) => {
    if (value === null) return types.has("null")
    if (Array.isArray(value)) return types.has("array")
    if (typeof value === "number") return types.has("number") || (takesIntegers && Number.isInteger(value))
    return types.has(typeof value)
  }
}

/** Counts UTF-16 units where the schema means characters, and is sure only where both counts fit. */
function acceptsText(node: SchemaNode, text: string): boolean {
  if (node.maxLength !== undefined && text.length > node.maxLength) return false
  return node.minLength === undefined || text.length >= node.minLength * 2 || (text.length >= node.minLength && node.minLength <= 1)
}

const acceptsNumber = (node: SchemaNode, value: number): boolean =>
  (node.minimum === undefined || value >= node.minimum) &&
  (node.maximum === undefined || value <= node.maximum) &&
  (node.exclusiveMinimum === undefined || value > node.exclusiveMinimum) &&
  (node.exclusiveMaximum === undefined || value < node.exclusiveMaximum)

function arrayAccept(node: SchemaNode, lookup: Lookup, byRef: Map<string, Accepts>): (items: readonly unknown[]) => boolean {
  const acceptsItem = node.items === undefined ? always : acceptsOf(node.items, lookup, byRef)
  return (items) => {
    if (node.minItems !== undefined && items.length < node.minItems) return false
    if (node.maxItems !== undefined && items.length > node.maxItems) return false
    if (node.allOf !== undefined && !(areScalars(items) && new Set(items).size === items.length)) return false
    return acceptsItem === always || items.every(acceptsItem)
  }
}

const areScalars = (items: readonly unknown[]): boolean => items.every((item) => typeof item !== "object" || item === null)

function objectAccept(node: SchemaNode, lookup: Lookup, byRef: Map<string, Accepts>): (object: Record<string, unknown>) => boolean {
  const entries = Object.entries(node.properties ?? {})
  const byName = new Map(entries.map(([name, inner]) => [name, acceptsOf(inner, lookup, byRef)]))
  const acceptsOther = otherAccept(node, lookup, byRef)
  const required = node.required ?? []
  return (object) => {
    for (const name of required) if (!Object.hasOwn(object, name)) return false
    for (const name of Object.keys(object)) {
      const accepts = byName.get(name) ?? acceptsOther
      if (accepts !== always && !accepts(object[name])) return false
    }
    return true
  }
}

function otherAccept(node: SchemaNode, lookup: Lookup, byRef: Map<string, Accepts>): Accepts {
  if (node.additionalProperties === undefined) return always
  return isNever(node.additionalProperties) ? unsure : acceptsOf(node.additionalProperties, lookup, byRef)
}
