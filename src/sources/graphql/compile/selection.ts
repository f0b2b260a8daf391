// Chooses the default selection of a helper: plain values, and one level of objects.
//
// The choice must work without being told anything, so that it holds no field with required arguments and ends after one
// level, whatever circles the schema has. It must be worth reading, so that a connection is seen through to its nodes, and
// of a type that leads everywhere only a few fields are taken at the second level. And it must be one that every server
// accepts: two fragments that give one name to different types are kept apart by an alias.
import {
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from "graphql"
import type {
  GraphQLField,
  GraphQLInterfaceType,
  GraphQLNamedOutputType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
  GraphQLUnionType,
} from "graphql"
import { leadsToMutations } from "./mutation-type.ts"
import { isReserved } from "./schema-text.ts"

type Field = GraphQLField<unknown, unknown>
export type CompositeType = GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType

export type Selected = {
  /** The name in the answer. */
  readonly as: string
  readonly field: Field
  /** Literal arguments, with their parentheses. */
  readonly args: string
  readonly of: Selection | null
}
export type Selection = {
  readonly on: CompositeType
  readonly fields: readonly Selected[]
  /** Of an interface or union: what single types have besides. */
  readonly fragments: readonly { readonly on: GraphQLObjectType; readonly fields: readonly Selected[] }[]
  /** Whether an answer may be of a type that no fragment names. */
  readonly hasOthers: boolean
}

/** How much is asked for: enough to act on, little enough to read. */
const most = { fields: 250, leaves: 100, nestedLeaves: 8, objects: 20, connections: 3, fragments: 8, fragmentLeaves: 10, nameChars: 100 }
/** Of a connection inside the answer: a first impression, where the server would otherwise refuse or send everything. */
const pageSize = 10

/** What a reader wants first of a thing that is shown in passing. */
const telling = [
  "id",
  "name",
  "title",
  "login",
  "slug",
  "key",
  "number",
  "code",
  "label",
  "url",
  "state",
  "status",
  "type",
  "email",
  "value",
]

type Budget = { left: number }
/** `whole`: plain values and one level of objects. `passing`: a few plain values. */
type Extent = "whole" | "passing"

export function defaultSelection(type: CompositeType, schema: GraphQLSchema): Selection {
  return select(type, "whole", { left: most.fields }, schema)
}

function select(type: CompositeType, extent: Extent, budget: Budget, schema: GraphQLSchema): Selection {
  if (leadsToMutations(type, schema)) return { on: type, fields: [], fragments: [], hasOthers: true }
  const items = isObjectType(type) ? itemsField(type) : null
  if (items !== null && isObjectType(type)) return selectConnection(type, items, extent, budget, schema)
  if (isUnionType(type)) return withFragments(type, [], extent, budget, schema)
  const fields = [...leaves(type, extent, budget), ...(extent === "whole" ? objects(type, budget, schema) : [])]
  return isInterfaceType(type) ? withFragments(type, fields, extent, budget, schema) : { on: type, fields, fragments: [], hasOthers: true }
}

const usable = (type: GraphQLObjectType | GraphQLInterfaceType): Field[] =>
  Object.values(type.getFields()).filter(
    (field) =>
      field.deprecationReason == null &&
      !isReserved(field.name) &&
      field.name.length <= most.nameChars &&
      !field.args.some(isRequiredArgument),
  )

const take = (budget: Budget, fields: readonly Field[]): Field[] => {
  const taken = fields.slice(0, Math.max(0, budget.left))
  budget.left -= taken.length
  return taken
}

function leaves(type: GraphQLObjectType | GraphQLInterfaceType, extent: Extent, budget: Budget): Selected[] {
  const plain = usable(type).filter((field) => isLeafType(getNamedType(field.type)))
  const countMax = extent === "whole" ? most.leaves : most.nestedLeaves
  return take(budget, firstOf(plain, countMax)).map((field) => ({ as: field.name, field, args: "", of: null }))
}

/** In the schema's order; where there are too many, those that tell most. */
function firstOf(fields: readonly Field[], countMax: number): readonly Field[] {
  if (fields.length <= countMax) return fields
  const rank = new Map(telling.map((name, index) => [name, index]))
  const chosen = new Set(
    fields.toSorted((a, b) => (rank.get(a.name) ?? telling.length) - (rank.get(b.name) ?? telling.length)).slice(0, countMax),
  )
  return fields.filter((field) => chosen.has(field))
}

function objects(type: GraphQLObjectType | GraphQLInterfaceType, budget: Budget, schema: GraphQLSchema): Selected[] {
  const composite = usable(type).filter((field) => !isLeafType(getNamedType(field.type)))
  const connections = composite.filter((field) => isConnection(getNamedType(field.type)))
  // A type with many connections leads everywhere: which of them is wanted is for the caller to say.
  const wanted = connections.length > most.connections ? composite.filter((field) => !connections.includes(field)) : composite
  const chosen: Selected[] = []
  for (const field of wanted.slice(0, most.objects)) {
    if (budget.left <= 0) break
    const named = getNamedType(field.type)
    if ((!isObjectType(named) && !isAbstractType(named)) || leadsToMutations(named, schema)) continue
    const of = select(named, "passing", budget, schema)
    if (of.fields.length + of.fragments.length > 0 || isAbstractType(named)) chosen.push({ as: field.name, field, args: pageOf(field), of })
  }
  return chosen
}

/** Many servers refuse a connection whose size is not said. */
const pageOf = (field: Field): string =>
  isConnection(getNamedType(field.type)) && field.args.some((arg) => arg.name === "first" && getNamedType(arg.type).name === "Int")
    ? `(first: ${pageSize})`
    : ""

const isConnection = (type: GraphQLNamedOutputType): boolean => isObjectType(type) && itemsField(type) !== null

const free = (field: Field | undefined): field is Field => field !== undefined && !field.args.some(isRequiredArgument)

/** `nodes`, or `edges { node }`, of a type that pages. */
function itemsField(type: GraphQLObjectType): { readonly field: Field; readonly node: Field | null } | null {
  const fields = type.getFields()
  if (fields["pageInfo"] === undefined) return null
  const nodes = fields["nodes"]
  if (free(nodes) && !isLeafType(getNamedType(nodes.type))) return { field: nodes, node: null }
  const edges = fields["edges"]
  const edge = edges && getNamedType(edges.type)
  const node = isObjectType(edge) || isInterfaceType(edge) ? edge.getFields()["node"] : undefined
  return free(edges) && free(node) ? { field: edges, node } : null
}

function selectConnection(
  type: GraphQLObjectType,
  items: NonNullable<ReturnType<typeof itemsField>>,
  extent: Extent,
  budget: Budget,
  schema: GraphQLSchema,
): Selection {
  const counts = leaves(type, "passing", budget)
  const pageInfo = type.getFields()["pageInfo"]
  const page = pageInfo && getNamedType(pageInfo.type)
  const paging =
    free(pageInfo) && isObjectType(page)
      ? [nested(pageInfo, { on: page, fields: leaves(page, "passing", budget), fragments: [], hasOthers: true })]
      : []
  const { field, node } = items
  if (node === null)
    return {
      on: type,
      fields: [...counts, nested(field, itemSelection(field, extent, budget, schema)), ...paging],
      fragments: [],
      hasOthers: true,
    }
  const edge = getNamedType(field.type)
  const of = itemSelection(node, extent, budget, schema)
  const edges =
    isObjectType(edge) || isInterfaceType(edge)
      ? [nested(field, { on: edge, fields: [nested(node, of)], fragments: [], hasOthers: true })]
      : []
  return { on: type, fields: [...counts, ...edges, ...paging], fragments: [], hasOthers: true }
}

/** A connection of connections is seen through once only. */
function itemSelection(field: Field, extent: Extent, budget: Budget, schema: GraphQLSchema): Selection | null {
  const named = getNamedType(field.type)
  if (isLeafType(named)) return null
  if (isObjectType(named) && isConnection(named) && !leadsToMutations(named, schema))
    return { on: named, fields: leaves(named, extent, budget), fragments: [], hasOthers: true }
  return select(named, extent, budget, schema)
}

const nested = (field: Field, of: Selection | null): Selected => ({ as: field.name, field, args: "", of })

/** What the types behind an interface or union have besides what they share. */
function withFragments(
  type: GraphQLInterfaceType | GraphQLUnionType,
  fields: readonly Selected[],
  extent: Extent,
  budget: Budget,
  schema: GraphQLSchema,
): Selection {
  const possible = schema.getPossibleTypes(type)
  const isTooWide = isInterfaceType(type) ? possible.length > most.fragments : false
  if (isTooWide || (isInterfaceType(type) && extent === "passing")) return { on: type, fields, fragments: [], hasOthers: true }
  const taken = new Map(fields.map((selected) => [selected.as, selected.field.type]))
  const fragments = possible.slice(0, most.fragments).flatMap((member) => {
    const plain = usable(member).filter((field) => isLeafType(getNamedType(field.type)) && !isShared(field, fields))
    const chosen = take(budget, firstOf(plain, extent === "whole" ? most.fragmentLeaves : most.nestedLeaves / 2))
    const own = new Set(fields.map((one) => one.as))
    const selected = chosen.flatMap((field) => asDistinct(field, member, taken, own))
    return selected.length === 0 ? [] : [{ on: member, fields: selected }]
  })
  return { on: type, fields, fragments, hasOthers: fragments.length < possible.length }
}

const isShared = (field: Field, fields: readonly Selected[]): boolean => fields.some((selected) => selected.as === field.name)

/** One name in the answer has one type, in whichever fragment it stands, and is one field of each object. */
function asDistinct(field: Field, member: GraphQLObjectType, taken: Map<string, GraphQLOutputType>, own: Set<string>): Selected[] {
  for (const as of [field.name, `${field.name}_${member.name}`]) {
    const before = taken.get(as)
    if (own.has(as) || (before !== undefined && !isSameType(before, field.type))) continue
    taken.set(as, field.type)
    own.add(as)
    return [{ as, field, args: "", of: null }]
  }
  return []
}

function isSameType(a: GraphQLOutputType, b: GraphQLOutputType): boolean {
  if (isNonNullType(a)) return isNonNullType(b) && isSameType(a.ofType, b.ofType)
  if (isListType(a)) return isListType(b) && isSameType(a.ofType, b.ofType)
  return a === b
}
