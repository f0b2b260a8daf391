// Writes the comment of a property, and of a union the property that tells its members apart.
import { docOf } from "./comment-text.ts"
import type { Subject } from "./comment-text.ts"
import type { Conversion } from "./conversion.ts"
import { isPlainScalar, readOwn, readSchema, record } from "./schema-read.ts"
import type { SchemaKeywords } from "./schema-read.ts"

/** The comment of a property: its own words, or those of the scalar that it refers to. */
export function propertyDoc(keywords: SchemaKeywords, subject: Subject, to: Conversion): string | null {
  const fact = selectorFact(keywords, to) ?? (keywords.items === undefined ? null : selectorFact(readSchema(keywords.items), to))
  const own = docOf(keywords, subject, fact)
  if (own !== null || keywords.ref === null) return own
  const target = readSchema(to.graph.find(keywords.ref, to.root)?.schema)
  return target !== null && isPlainScalar(target) ? docOf(target, subject, null) : null
}

const selectorValuesMax = 8

/** Which property tells the members of a union apart. It stays a comment: a schema accepts other values of it as well. */
export function selectorFact(keywords: SchemaKeywords | null, to: Pick<Conversion, "graph" | "root" | "record">): string | null {
  if (keywords === null || keywords.discriminator === null || keywords.oneOf.length + keywords.anyOf.length === 0) return null
  const property = readOwn(keywords.discriminator, "propertyName")
  if (typeof property !== "string" || property.length > 60) return null
  const mapping = record(readOwn(keywords.discriminator, "mapping")) ?? {}
  const values = Object.keys(mapping).slice(0, selectorValuesMax)
  const cases = values.flatMap((value) => {
    const ref = readOwn(mapping, value)
    const definition = typeof ref === "string" && value.length <= 60 ? to.graph.find(ref, to.root) : null
    return definition === null ? [] : [`${JSON.stringify(value)} is ${definition.name}`]
  })
  if (to.record !== null) to.record.repeatsNames = true
  return cases.length === 0 ? `told apart by ${property}` : `by ${property}: ${cases.join(", ")}`
}
