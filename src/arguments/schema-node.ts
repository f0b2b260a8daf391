// One subschema in the form in which the validator reads it.
//
// `@cfworker/json-schema` has no limit and no hook: a schema of twenty lines can keep it busy for years. But on
// each visit it reads `$recursiveAnchor` of the subschema exactly once. Our nodes inherit a getter of that name,
// which charges the visit to the meter and throws when the meter is empty. Schemas of strangers never bring that
// keyword in themselves, because nodes are built key by key.
import { charge } from "./step-meter.ts"
import type { TextFormat } from "./text-format.ts"

/** Only what is checked. `false` is the node `{ not: true }`, so that every error of the validator names its real place. */
export type SchemaNode = {
  cost: VisitCost
  title?: string
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  not?: SubSchema
  anyOf?: SubSchema[]
  allOf?: SubSchema[]
  if?: SubSchema
  then?: SubSchema
  else?: SubSchema
  required?: string[]
  properties?: Record<string, SubSchema>
  additionalProperties?: SubSchema
  unevaluatedProperties?: SubSchema
  propertyNames?: SubSchema
  minProperties?: number
  maxProperties?: number
  dependentRequired?: Record<string, string[]>
  dependentSchemas?: Record<string, SubSchema>
  prefixItems?: SubSchema[]
  items?: SubSchema
  unevaluatedItems?: SubSchema
  contains?: SubSchema
  minContains?: number
  maxContains?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  /** By another name than the schema's, because the validator's own formats are stricter and can be slow. */
  textFormat?: TextFormat
}
export type SubSchema = true | SchemaNode

/** What a visit costs: steps of its own, and those that depend on the arguments. */
export type VisitCost = {
  steps: number
  /** It may list the keys of the widest object. */
  readsKeys: boolean
  /** It counts the characters of a text. */
  readsText: boolean
  /** It compares all items of an array with each other. */
  readsPairs: boolean
  /** Properties that are counted at the first visit, because those of a wide schema take longer to count than most calls take. */
  uncounted: object | null
}

const meteredNode: object = Object.create(null, {
  $recursiveAnchor: {
    get(this: SchemaNode): undefined {
      charge(this.cost)
    },
  },
}) as object // Object.create is untyped

export function newNode(): SchemaNode {
  const node = Object.create(meteredNode) as SchemaNode // its only required field follows
  node.cost = { steps: 1, readsKeys: true, readsText: false, readsPairs: false, uncounted: null }
  return node
}

/** The schema that nothing fits. */
export function neverNode(): SchemaNode {
  const node = newNode()
  node.not = true
  return node
}

export const isNever = (schema: SubSchema | undefined): boolean => typeof schema === "object" && schema.not === true

/** The validator compares the items of any array with each other; this lets it do so only with short ones. */
export function uniqueUpTo(itemsMax: number): SchemaNode {
  const node = newNode()
  const isLong = newNode()
  isLong.minItems = itemsMax + 1
  const isUnique = newNode()
  isUnique.uniqueItems = true
  isUnique.cost.readsPairs = true
  node.if = isLong
  // For values that are no array the condition holds, too, and nothing is asked.
  node.else = isUnique
  return node
}

export const isUniqueUpTo = (schema: SubSchema | undefined): boolean =>
  typeof schema === "object" && typeof schema.else === "object" && schema.else.uniqueItems === true
