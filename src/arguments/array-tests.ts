// Tests of arrays: their items, which of them must be there, and that none is there twice.
import type { Limits } from "../core/limits.ts"
import { invalidValue } from "./issue-text.ts"
import { readCount, readList } from "./schema-keyword.ts"
import { subschemaOf } from "./schema-ref.ts"
import { isEqual, sizeTest, sizes } from "./value-tests.ts"
import { check, decide, every, inside, report, spend, withoutFormats } from "./walk.ts"
import type { Subschema, Test, Walk } from "./walk.ts"

type Raw = Record<string, unknown>

const itemSteps = 1 / 40

export function arrayTests(raw: Raw, limits: Limits): (Test | null)[] {
  const { contains, unevaluatedItems } = raw
  return [
    sizeTest(sizes.array, raw),
    itemsTest(raw),
    contains === undefined ? null : containsTest(subschemaOf(contains), raw),
    raw["uniqueItems"] === true ? uniqueTest(limits.argsUniqueItemsMax) : null,
    unevaluatedItems === undefined ? null : unevaluatedTest(subschemaOf(unevaluatedItems)),
  ]
}

/** Drafts before 2020-12 write tuples as `items`, and what follows them as `additionalItems`. */
function itemsTest(raw: Raw): Test | null {
  const isTuple = Array.isArray(raw["items"])
  const prefix = readList(isTuple ? raw["items"] : raw["prefixItems"]).map(subschemaOf)
  const others = isTuple ? raw["additionalItems"] : raw["items"]
  if (prefix.length === 0 && others === undefined) return null
  const other = others === undefined ? null : subschemaOf(others)
  return (value, depth, walk) => {
    if (!Array.isArray(value)) return true
    const end = other === null ? Math.min(prefix.length, value.length) : value.length
    const within = prefix.length > 0 ? withoutFormats(inside(walk)) : inside(walk)
    let fits = true
    for (let index = 0; index < end; index++) {
      walk.evaluated?.keys.add(index)
      const schema = index < prefix.length ? (prefix[index] ?? null) : other
      if (schema === null || fitsItem(schema, index, value, depth, within)) continue
      if (walk.findings === null) return false
      fits = false
    }
    return fits
  }
}

function fitsItem(schema: Subschema, index: number, items: readonly unknown[], depth: number, walk: Walk): boolean {
  walk.run.path[depth] = index
  return check(schema, items[index], depth + 1, walk)
}

function containsTest(schema: Subschema, raw: Raw): Test {
  const [least = 1, most = Infinity] = [readCount(raw["minContains"]), readCount(raw["maxContains"])]
  return (value, depth, walk) => {
    if (!Array.isArray(value)) return true
    let [certain, possible] = [0, 0]
    for (const [index, item] of value.entries()) {
      const answer = decide(schema, item, depth + 1, walk, null)
      if (answer === "no") continue
      walk.evaluated?.keys.add(index)
      possible++
      if (answer === "yes") certain++
      else walk.run.isUnsure = true
    }
    if (possible < least)
      return report(walk, depth, (path) => invalidValue(path, value, () => containsComplaint("least", least, "asks for")))
    if (certain > most) return report(walk, depth, (path) => invalidValue(path, value, () => containsComplaint("most", most, "limits")))
    return true
  }
}

const containsComplaint = (which: string, count: number, verb: string): string =>
  `must have at ${which} ${count} ${count === 1 ? "item" : "items"} of the kind that the schema ${verb}`

function uniqueTest(itemsMax: number): Test {
  return (value, depth, walk) => {
    if (!Array.isArray(value)) return true
    const items: readonly unknown[] = value
    if (items.length > itemsMax) {
      walk.run.isUnsure = true
      return true
    }
    spend(walk.run, items.length * itemSteps)
    const nested = items.filter((item) => typeof item === "object" && item !== null)
    const hasTwins = nested.some((item, index) => nested.slice(0, index).some((other) => isEqual(item, other, walk.run)))
    if (!hasTwins && new Set(items).size === items.length) return true
    return report(walk, depth, (path) => invalidValue(path, value, () => "must not have the same item twice"))
  }
}

function unevaluatedTest(schema: Subschema): Test {
  return (value, depth, walk) => {
    const { evaluated } = walk
    if (!Array.isArray(value) || evaluated === null || evaluated.isAll) return true
    const within = inside(walk)
    const fits = every(value, walk, (_, index) => evaluated.keys.has(index) || fitsItem(schema, index, value, depth, within))
    evaluated.isAll = true
    return fits
  }
}
