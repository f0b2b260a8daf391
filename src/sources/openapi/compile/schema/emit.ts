// Writes one schema of a document as JSON Schema 2020-12, with its references turned into names of shared definitions.
//
// The walk never follows a reference, so a cycle cannot trap it. It counts every node as often as it is written,
// because a YAML alias makes one node of the text many of the output, and stops at a depth, because it recurses.
import type { Limits } from "../../../../core/limits.ts"
import type { DefinitionNames } from "./name.ts"
import { pointerJoin } from "../../document/pointer.ts"
import { isMissing, locationOf } from "../../document/resolve.ts"
import type { DocumentFiles, Located } from "../../document/resolve.ts"
import { boundedText, isObject, own, put } from "../../../document-value.ts"
import type { Warnings } from "../../../document-warnings.ts"
import { fileInput, isFileSchema, toolFileName } from "./file.ts"
import { annotationKeywords, keywordRules } from "./keywords.ts"
import type { Relation, RuleContext, SchemaObject } from "./keywords.ts"
import { createReadOnlyFinder, withoutNames } from "./read-only.ts"
import { settleBounds, settleDiscriminator, settleEnum, settleNullable, settleRequired } from "./settle.ts"

export type EmittedSchema = {
  readonly schema: SchemaObject
  /** The definitions it refers to. */
  readonly refs: ReadonlySet<string>
  /** Those among them that describe the very same value, which a cycle must not lead back through. */
  readonly sameValue: ReadonlyMap<string, "all" | "choice">
}

export type EmitOptions = {
  /** `input`: without what is `readOnly`, also in the definitions that it refers to. */
  readonly direction?: "input" | "output"
  /** `toolFile`: where the document wants bytes, a file object is accepted. */
  readonly files?: "text" | "toolFile"
  /** Definitions that are written instead of others; null: anything is accepted. */
  readonly replaced?: ReadonlyMap<string, string | null>
  /** `base`: without `oneOf` and `anyOf`, as its own subtypes see a base type. */
  readonly part?: "whole" | "base"
}

export type SchemaEmitter = (at: Located, options?: EmitOptions) => EmittedSchema

export type EmitterParts = {
  readonly files: DocumentFiles
  readonly definitions: DefinitionNames
  readonly warnings: Warnings
  readonly limits: Limits
  /** Before 3.1 what stands beside a `$ref` is ignored, but for annotations. */
  readonly refSiblings: "annotations" | "all"
}

type Walk = {
  readonly root: Located
  readonly options: EmitOptions
  readonly trail: string[]
  readonly refs: Set<string>
  readonly sameValue: Map<string, "all" | "choice">
  readonly unknown: Set<SchemaObject>
  /** The names that the value at hand does not have in an input. */
  leftOut: ReadonlySet<string>
  nodes: number
}

/** A long text counts like so many short ones. */
const charsPerNode = 32
const noNames: ReadonlySet<string> = new Set()

export function createEmitter(parts: EmitterParts): SchemaEmitter {
  const { files, definitions, warnings, limits, refSiblings } = parts
  let nodesLeft = limits.documentNodesMax
  /** Schemas that were found too large once are not expanded again for each place that holds them. */
  const tooLarge = new WeakSet<object>()
  const readOnly = createReadOnlyFinder(files)

  const warn = (walk: Walk, message: string): void =>
    warnings.add(locationOf({ file: walk.root.file, pointer: pointerJoin(walk.root.pointer, ...walk.trail) }), message)

  function spend(walk: Walk, text = ""): void {
    const cost = 1 + Math.floor(text.length / charsPerNode)
    walk.nodes += cost
    nodesLeft -= cost
  }

  const isSpent = (walk: Walk): boolean => walk.nodes > limits.documentSchemaNodesMax || nodesLeft < 0

  function unknown(walk: Walk, description = ""): SchemaObject {
    const schema: SchemaObject = description === "" ? {} : { description }
    walk.unknown.add(schema)
    return schema
  }

  function copy(value: unknown, depth: number, walk: Walk): unknown {
    spend(walk, typeof value === "string" ? value : "")
    if (isSpent(walk) || depth > limits.schemaDepthMax) return null
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1, walk))
    if (!isObject(value)) return value
    const out: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      spend(walk, name)
      put(out, name, copy(value[name], depth + 1, walk))
    }
    return out
  }

  function refer(ref: string, relation: Relation, out: SchemaObject, walk: Walk): void {
    const target = files.resolve(ref, walk.root.file)
    if (isMissing(target)) {
      warn(walk, `The reference '${ref.slice(0, 200)}' cannot be resolved: ${target.missing}; anything is accepted here`)
      walk.unknown.add(out)
      return
    }
    const isVariant = walk.options.direction === "input" && readOnly.differs(target)
    const name = isVariant ? definitions.inputNameOf(target) : definitions.nameOf(target)
    const written = relation === "apart" ? name : replacementOf(name, walk)
    if (written === null) walk.unknown.add(out)
    else mention(written, relation, out, walk)
  }

  function replacementOf(name: string, walk: Walk): string | null {
    let written: string | null = name
    while (written !== null && walk.options.replaced?.has(written)) written = walk.options.replaced.get(written) ?? null
    return written
  }

  function mention(name: string, relation: Relation, out: SchemaObject, walk: Walk): void {
    out.$ref = `#/$defs/${name}`
    walk.refs.add(name)
    if (relation !== "apart" && walk.sameValue.get(name) !== "all") walk.sameValue.set(name, relation)
  }

  /** A part of a form, or one of a list of parts; what lies deeper is sent as JSON. */
  function isFile(value: unknown, depth: number, walk: Walk): boolean {
    if (walk.options.files !== "toolFile" || depth > 2) return false
    const target = files.follow({ ...walk.root, value })
    return !isMissing(target) && isFileSchema(target.value)
  }

  function emitNode(value: unknown, depth: number, relation: Relation, walk: Walk): SchemaObject | boolean {
    if (typeof value === "boolean") return value
    spend(walk)
    if (isSpent(walk)) return unknown(walk)
    if (!isObject(value)) {
      warn(walk, "This is not a schema; anything is accepted here")
      return unknown(walk)
    }
    if (depth > limits.schemaDepthMax) {
      warn(walk, `Schemas are nested more than ${limits.schemaDepthMax} deep; anything is accepted below`)
      return unknown(walk)
    }
    if (isFile(value, depth, walk)) {
      walk.refs.add(toolFileName)
      return fileInput(boundedText(own(value, "description"), limits.descriptionCharsMax))
    }
    return emitObject(withoutNames(value, walk.leftOut), depth, relation, walk)
  }

  const leftOutOf = (value: unknown, { root, options }: Walk): ReadonlySet<string> =>
    options.direction === "input" ? readOnly.namesOf({ ...root, value }) : noNames

  function emitObject(value: Readonly<Record<string, unknown>>, depth: number, relation: Relation, walk: Walk): SchemaObject {
    const out: SchemaObject = {}
    const ref = own(value, "$ref") ?? own(value, "$dynamicRef")
    const hasRef = typeof ref === "string"
    if (hasRef) refer(ref, relation, out, walk)
    const context = contextOf(out, depth, relation, walk)
    for (const keyword of Object.keys(value)) {
      const rule = keywordRules.get(keyword)
      if (!rule || (hasRef && refSiblings === "annotations" && !annotationKeywords.has(keyword))) continue
      if (walk.options.part === "base" && depth === 1 && (keyword === "oneOf" || keyword === "anyOf")) continue
      walk.trail.push(keyword)
      rule(value[keyword], keyword, context)
      walk.trail.pop()
    }
    settleBounds(out)
    settleEnum(out)
    settleRequired(out)
    if (own(value, "discriminator") !== undefined) settleDiscriminator(out)
    const isNullable = own(value, "nullable") === true || own(value, "x-nullable") === true
    return isNullable && !walk.unknown.has(out) ? settleNullable(out) : out
  }

  const contextOf = (out: SchemaObject, depth: number, relation: Relation, walk: Walk): RuleContext => ({
    out,
    descriptionCharsMax: limits.descriptionCharsMax,
    nested(value, nestedRelation, ...trail) {
      walk.trail.push(...trail)
      const { leftOut } = walk
      if (nestedRelation === "apart") walk.leftOut = leftOutOf(value, walk)
      // Inside something that describes another value, everything does.
      const schema = emitNode(value, depth + 1, relationWithin(relation, nestedRelation), walk)
      walk.leftOut = leftOut
      walk.trail.length -= trail.length
      return schema
    },
    copy: (value) => copy(value, 1, walk),
    spend: (text) => spend(walk, text),
    isUnknown: (schema) => typeof schema === "object" && walk.unknown.has(schema),
    warn: (message) => warn(walk, message),
  })

  return function emit(root, options = {}) {
    const collected = { trail: [], refs: new Set<string>(), sameValue: new Map(), unknown: new Set<SchemaObject>() }
    const walk: Walk = { root, options, ...collected, leftOut: noNames, nodes: 0 }
    walk.leftOut = leftOutOf(root.value, walk)
    const isKnown = typeof root.value === "object" && root.value !== null && tooLarge.has(root.value)
    const emitted = isKnown ? false : emitNode(root.value, 1, "all", walk)
    if (isKnown || isSpent(walk)) {
      // What is not written does not count.
      if (nodesLeft >= 0) nodesLeft += walk.nodes
      if (typeof root.value === "object" && root.value !== null) tooLarge.add(root.value)
      warn(walk, "The schema, or the document with it, expands to more nodes than are allowed; anything is accepted here")
      return { schema: {}, refs: new Set(), sameValue: new Map() }
    }
    const schema = typeof emitted === "boolean" ? (emitted ? {} : { not: {} }) : emitted
    return { schema, refs: walk.refs, sameValue: walk.sameValue }
  }
}

const relationWithin = (outer: Relation, inner: Relation): Relation =>
  outer === "apart" || inner === "apart" ? "apart" : outer === "choice" || inner === "choice" ? "choice" : "all"
