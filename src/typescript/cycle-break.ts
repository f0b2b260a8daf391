// Breaks definitions that refer to themselves without a property or item in between, which TypeScript refuses.
//
// The common case is inheritance: `Pet` is one of `Cat` and `Dog`, and both are all of `Pet` and something more.
// There the shared part becomes a definition of its own, `PetBase`, which the members refer to instead.
// What is left after that are unions and aliases of each other, which mean nothing and become `unknown`.
import { atOnce } from "../io/time-slices.ts"
import type { Definition, DefinitionGraph } from "./definition-graph.ts"
import { intersection, union, unknownType, word } from "./type-node.ts"
import type { TypeNode } from "./type-node.ts"

/** Changes the types of the definitions in place and returns them with the new ones. */
export const breakCycles = (definitions: readonly Definition[], graph: DefinitionGraph): Definition[] =>
  atOnce(breakInSteps(definitions, graph))

/** The same, one definition a step. */
export function* breakInSteps(definitions: readonly Definition[], graph: DefinitionGraph): Generator<void, Definition[]> {
  const bases = new Map<Definition, Definition>()
  for (const circle of yield* circles(definitions)) {
    const members = new Set(circle)
    const base = (target: Definition): TypeNode =>
      members.has(target) ? baseReference(target, bases, graph) : { kind: "reference", to: target }
    const types = circle.map((definition) => (definition.type === null ? unknownType : withBases(definition.type, base, "elsewhere")))
    for (const [at, definition] of circle.entries()) definition.type = types[at] ?? unknownType
  }
  for (const circle of yield* circles(definitions)) for (const definition of circle) definition.type = word("unknown", "refers to itself")
  return definitions.flatMap((definition) => {
    const base = bases.get(definition)
    return base === undefined ? [definition] : [base, definition]
  })
}

/** References inside intersections are replaced; those inside unions stay. */
function withBases(node: TypeNode, base: (target: Definition) => TypeNode, place: "in an intersection" | "elsewhere"): TypeNode {
  switch (node.kind) {
    case "reference":
      return place === "in an intersection" ? base(node.to) : node
    case "union":
      return union(node.members.map((member) => withBases(member, base, "elsewhere")))
    case "intersection":
      return intersection(node.members.map((member) => withBases(member, base, "in an intersection")))
    case "word":
    case "array":
    case "tuple":
    case "object":
  }
  return node
}

function baseReference(target: Definition, bases: Map<Definition, Definition>, graph: DefinitionGraph): TypeNode {
  const known = bases.get(target)
  if (known !== undefined) return { kind: "reference", to: known }
  const parts = target.type?.kind === "intersection" ? target.type.members.filter((member) => member.kind === "object") : []
  if (parts.length === 0) return unknownType
  const base: Definition = { ...target, name: graph.names.take(`${target.name}Base`), type: intersection(parts), doc: null }
  bases.set(target, base)
  return { kind: "reference", to: base }
}

/** The definitions that a type refers to at its top. */
function directReferences(node: TypeNode | null): Definition[] {
  if (node === null) return []
  if (node.kind === "reference") return [node.to]
  return node.kind === "union" || node.kind === "intersection" ? node.members.flatMap(directReferences) : []
}

type Visit = { readonly definition: Definition; readonly next: Iterator<Definition> }

/** Groups of definitions that reach each other directly (Tarjan's strongly connected components, without recursion). */
function* circles(definitions: readonly Definition[]): Generator<void, Definition[][]> {
  const order = new Map<Definition, number>()
  const lowest = new Map<Definition, number>()
  const open: Definition[] = []
  const isOpen = new Set<Definition>()
  const found: Definition[][] = []
  const visits: Visit[] = []
  const lower = (definition: Definition, value: number): void =>
    void lowest.set(definition, Math.min(lowest.get(definition) ?? value, value))
  const enter = (definition: Definition): void => {
    order.set(definition, order.size)
    lower(definition, order.size - 1)
    open.push(definition)
    isOpen.add(definition)
    visits.push({ definition, next: directReferences(definition.type).values() })
  }
  const leave = (definition: Definition): void => {
    const above = visits.at(-1)
    if (above !== undefined) lower(above.definition, lowest.get(definition) ?? 0)
    if (lowest.get(definition) !== order.get(definition)) return
    const circle = open.splice(open.lastIndexOf(definition))
    for (const member of circle) isOpen.delete(member)
    if (circle.length > 1 || directReferences(definition.type).includes(definition)) found.push(circle)
  }
  for (const start of definitions) {
    yield
    if (!order.has(start)) enter(start)
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const step = visit.next.next()
      if (step.done === true) {
        visits.pop()
        leave(visit.definition)
      } else if (!order.has(step.value)) enter(step.value)
      else if (isOpen.has(step.value)) lower(visit.definition, order.get(step.value) ?? 0)
    }
  }
  return found
}
