// Keeps intersections of unions within what the TypeScript compiler is willing to multiply out.
import type { Definition } from "./definition-graph.ts"
import type { TypeNode } from "./type-node.ts"

/** The compiler refuses a product of 100,000, and multiplies those of properties as well; nobody reads one of a hundred. */
const productMax = 64
const widthDepthMax = 50

/** The members without those unions that would make the product too large. Leaving one out only widens the type. */
export function narrowed(members: readonly TypeNode[]): readonly TypeNode[] {
  let product = 1
  return members.filter((member) => {
    const width = widthOf(member, 0)
    if (width > 1 && product > 1 && product * width > productMax) return false
    product *= width
    return true
  })
}

const known = new WeakMap<Definition, number>()

/** How many alternatives a type has at its top. */
function widthOf(node: TypeNode, depth: number): number {
  if (depth > widthDepthMax) return productMax
  switch (node.kind) {
    case "word":
      return node.text === "boolean" ? 2 : 1
    case "union":
      return capped(node.members.reduce((sum, member) => sum + widthOf(member, depth + 1), 0))
    case "intersection":
      return capped(node.members.reduce((product, member) => product * widthOf(member, depth + 1), 1))
    case "reference":
      return definitionWidth(node.to, depth)
    case "array":
    case "tuple":
    case "object":
  }
  return 1
}

function definitionWidth(definition: Definition, depth: number): number {
  if (definition.type === null) return 1
  const width = known.get(definition)
  if (width !== undefined) return width
  // Its own width while it is being counted: definitions that refer to themselves directly are cut before this.
  known.set(definition, 1)
  const counted = widthOf(definition.type, depth + 1)
  known.set(definition, counted)
  return counted
}

const capped = (width: number): number => Math.min(width, productMax + 1)
