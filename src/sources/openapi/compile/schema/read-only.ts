// Finds what a document marks `readOnly`: an answer has it, an argument does not.
//
// A definition that holds such a property, or refers to one that does, is written a second time for inputs. Which ones
// those are is found by walking references backwards from the marks, once for each definition, so that circles end.
import { isMissing, locationOf } from "../../document/resolve.ts"
import type { DocumentFiles, Located } from "../../document/resolve.ts"
import { isObject, listAt, objectAt, own, put } from "../../../document-value.ts"
import type { JsonObject } from "../../../document-value.ts"

export type ReadOnlyFinder = {
  /** True for a definition that is another one in an input. */
  differs(definition: Located): boolean
  /** The names that no input has among those of one value, from whichever of its parts. */
  namesOf(schema: Located): ReadonlySet<string>
}

const mapKeywords = ["properties", "patternProperties", "dependentSchemas"]
const schemaKeywords = ["items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames", "unevaluatedProperties"]
const listKeywords = ["allOf", "anyOf", "oneOf", "prefixItems", "items"]
const partKeywords = ["allOf", "anyOf", "oneOf"]
const composedKeywords = ["properties", "required", ...partKeywords]
const noNames: ReadonlySet<string> = new Set()
/** How many parts of one value are looked at: far more than authors join. */
const partsMax = 1_000

export function isReadOnly(property: Located, files: DocumentFiles): boolean {
  if (isMarked(property.value)) return true
  const target = files.follow(property)
  if (isMissing(target) || !isObject(target.value)) return false
  return isMarked(target.value) || listAt(target.value, "allOf").some(isMarked)
}

const isMarked = (schema: unknown): boolean => isObject(schema) && own(schema, "readOnly") === true

export function createReadOnlyFinder(files: DocumentFiles): ReadOnlyFinder {
  const referrers = new Map<string, string[]>()
  const differing = new Set<string>()

  function explore(start: Located): void {
    const queue = [start]
    const marked: string[] = []
    for (let at = queue.pop(); at; at = queue.pop()) {
      const key = locationOf(at)
      const { hasReadOnly, targets } = scan(at, files)
      if (hasReadOnly) marked.push(key)
      for (const target of targets) {
        const targetKey = locationOf(target)
        const known = referrers.get(targetKey)
        if (known) known.push(key)
        else {
          referrers.set(targetKey, [key])
          queue.push(target)
        }
        if (differing.has(targetKey)) marked.push(key)
      }
    }
    for (let key = marked.pop(); key !== undefined; key = marked.pop()) {
      if (differing.has(key)) continue
      differing.add(key)
      marked.push(...(referrers.get(key) ?? []))
    }
  }

  return {
    differs(definition) {
      const key = locationOf(definition)
      if (!referrers.has(key)) {
        referrers.set(key, [])
        explore(definition)
      }
      return differing.has(key)
    },
    namesOf: (schema) => namesOf(schema, files),
  }
}

/** One definition without those that it refers to; an alias is looked at once. */
function scan(definition: Located, files: DocumentFiles): { readonly hasReadOnly: boolean; readonly targets: readonly Located[] } {
  const seen = new Set<unknown>()
  const targets: Located[] = []
  const queue = [definition.value]
  let hasReadOnly = false
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (!isObject(value) || seen.has(value)) continue
    seen.add(value)
    const ref = own(value, "$ref") ?? own(value, "$dynamicRef")
    const target = typeof ref === "string" ? files.resolve(ref, definition.file) : null
    if (target && !isMissing(target)) targets.push(target)
    hasReadOnly ||= readOnlyNames({ ...definition, value }, files).length > 0
    queue.push(...childrenOf(value))
  }
  return { hasReadOnly, targets }
}

function childrenOf(schema: JsonObject): unknown[] {
  const children: unknown[] = []
  for (const keyword of mapKeywords) for (const child of Object.values(objectAt(schema, keyword) ?? {})) children.push(child)
  for (const keyword of schemaKeywords) children.push(own(schema, keyword))
  for (const keyword of listKeywords) for (const child of listAt(schema, keyword)) children.push(child)
  return children.filter((child) => child !== undefined)
}

function readOnlyNames(schema: Located, files: DocumentFiles): string[] {
  const properties = isObject(schema.value) ? objectAt(schema.value, "properties") : null
  if (!properties) return []
  return Object.keys(properties).filter((name) => isReadOnly({ ...schema, value: properties[name] }, files))
}

function namesOf(schema: Located, files: DocumentFiles): ReadonlySet<string> {
  const { value: whole } = schema
  if (!isObject(whole) || !composedKeywords.some((keyword) => own(whole, keyword) !== undefined)) return noNames
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const queue = [schema]
  for (let at = queue.pop(); at && seen.size < partsMax; at = queue.pop()) {
    const { value } = at
    if (!isObject(value) || seen.has(value)) continue
    seen.add(value)
    for (const name of readOnlyNames(at, files)) names.add(name)
    const ref = own(value, "$ref")
    const target = typeof ref === "string" ? files.resolve(ref, at.file) : null
    if (target && !isMissing(target)) queue.push(target)
    for (const keyword of partKeywords) for (const part of listAt(value, keyword)) queue.push({ ...at, value: part })
  }
  return names
}

/** The schema without these names: neither described nor demanded. */
export function withoutNames(schema: JsonObject, left: ReadonlySet<string>): JsonObject {
  if (left.size === 0) return schema
  const properties = objectAt(schema, "properties")
  const required = own(schema, "required")
  const dependent = objectAt(schema, "dependentRequired")
  const kept = (names: unknown): unknown =>
    Array.isArray(names) ? names.filter((name) => typeof name !== "string" || !left.has(name)) : names
  return {
    ...schema,
    ...(properties ? { properties: membersWithout(properties, left, asIs) } : {}),
    ...(required === undefined ? {} : { required: kept(required) }),
    ...(dependent ? { dependentRequired: membersWithout(dependent, left, kept) } : {}),
  }
}

const asIs = (value: unknown): unknown => value

function membersWithout(members: JsonObject, left: ReadonlySet<string>, change: (value: unknown) => unknown): JsonObject {
  const rest: Record<string, unknown> = {}
  for (const name of Object.keys(members)) if (!left.has(name)) put(rest, name, change(members[name]))
  return rest
}
