// Finds what a `$ref` points to and keeps one named definition for each target.
import { createNames } from "./definition-names.ts"
import type { Names } from "./definition-names.ts"
import { readOwn, record } from "./schema-read.ts"
import type { TypeNode } from "./type-node.ts"

export type DefinitionLookup = ReadonlyMap<string, unknown> | ((name: string) => unknown)

/** A schema document: what `#` means inside of it. Shared definitions have no document of their own. */
export type Root = { readonly schema: unknown; readonly title: string }

export type Definition = {
  readonly name: string
  /** As the source spells it. */
  readonly sourceName: string
  readonly schema: unknown
  readonly root: Root
  /** Null until it was converted. */
  type: TypeNode | null
  doc: string | null
}

export type DefinitionGraph = {
  readonly names: Names
  /** Null where the reference leads nowhere. */
  find(ref: string, root: Root): Definition | null
}

export const sharedRoot: Root = { schema: null, title: "" }

export function createDefinitionGraph(shared: DefinitionLookup, names: Names = createNames()): DefinitionGraph {
  const lookup = typeof shared === "function" ? shared : (name: string) => shared.get(name)
  const found = new Map<Root, Map<string, Definition | null>>()
  const sharedTargets = new Map<string, Target | null>()

  const findShared = (name: string): Target | null => {
    let target = sharedTargets.get(name)
    if (target === undefined) {
      const schema = lookup(name)
      target = schema === undefined ? null : { schema, root: sharedRoot, name, key: `#/$defs/${name}` }
      sharedTargets.set(name, target)
    }
    return target
  }
  const definitionsOf = (root: Root): Map<string, Definition | null> => {
    let definitions = found.get(root)
    if (definitions === undefined) found.set(root, (definitions = new Map()))
    return definitions
  }
  const remember = (target: Target): Definition => {
    const definitions = definitionsOf(target.root)
    let definition = definitions.get(target.key)
    if (!definition) {
      const { schema, root, name } = target
      definition = { name: names.take(name), sourceName: name, schema, root, type: null, doc: null }
      definitions.set(target.key, definition)
    }
    return definition
  }

  return {
    names,
    find(ref, root) {
      const definitions = definitionsOf(root)
      const known = definitions.get(ref)
      if (known !== undefined) return known
      const target = resolve(ref, root, findShared)
      const definition = target === null ? null : remember(target)
      definitions.set(ref, definition)
      return definition
    },
  }
}

type Target = { readonly schema: unknown; readonly root: Root; readonly name: string; readonly key: string }

/** Containers of named schemas: JSON Schema's own, those of draft-07, and what OpenAPI documents leave behind. */
const containers: readonly (readonly string[])[] = [["$defs"], ["definitions"], ["components", "schemas"]]
const pointerSegmentsMax = 64

function resolve(ref: string, root: Root, findShared: (name: string) => Target | null): Target | null {
  if (!ref.startsWith("#")) return null
  const path = ref === "#" ? [] : pointerSegments(ref)
  if (path === null) return null
  const local = root.schema === null ? undefined : walk(root.schema, path)
  if (local !== undefined) return { schema: local, root, name: nameOf(path, root), key: ref }
  for (const container of containers) {
    if (!container.every((segment, at) => path[at] === segment)) continue
    const [name, ...rest] = path.slice(container.length)
    if (name === undefined) return null
    const target = findShared(name)
    if (target === null || rest.length === 0) return target
    const schema = walk(target.schema, rest)
    return schema === undefined ? null : { schema, root: sharedRoot, name: nameOf([name, ...rest], root), key: ref }
  }
  return null
}

function pointerSegments(ref: string): string[] | null {
  if (ref[1] !== "/" || ref.length > 2000) return null
  const segments = ref.slice(2).split("/")
  return segments.length > pointerSegmentsMax ? null : segments.map(decodeSegment)
}

function decodeSegment(segment: string): string {
  let text = segment
  if (segment.includes("%")) {
    try {
      text = decodeURIComponent(segment)
    } catch {
      // A lone percent sign stands for itself.
    }
  }
  return text.includes("~") ? text.replaceAll("~1", "/").replaceAll("~0", "~") : text
}

function walk(schema: unknown, path: readonly string[]): unknown {
  let current = schema
  for (const segment of path) {
    if (Array.isArray(current)) current = current[Number(segment)]
    else {
      const container = record(current)
      if (container === null) return undefined
      current = readOwn(container, segment)
    }
  }
  return current
}

const keywordSegments: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "prefixItems",
  "anyOf",
  "oneOf",
  "allOf",
  "additionalProperties",
])

/** The last two segments that a person wrote, or the title of the document for the document itself. */
function nameOf(path: readonly string[], root: Root): string {
  const [first, second] = path
  if (path.length === 2 && second !== undefined && (first === "$defs" || first === "definitions")) return second
  const words = path.filter(
    (segment) => !keywordSegments.has(segment) && !/^\d+$/.test(segment) && segment !== "$defs" && segment !== "definitions",
  )
  return words.length === 0 ? root.title : words.slice(-2).join("-")
}
