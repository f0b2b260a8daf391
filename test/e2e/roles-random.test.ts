// Random catalogs, roles, narrowed tokens and blocks: what is listed is exactly what can be called, through every surface.
import { builtinKeys } from "../../src/registry/builtins/builtin.ts"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { compilePattern, matchesPattern } from "../../src/policy/match.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import type { Store } from "../../src/store/store.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { connectCatalog, describedReach, personWith, seenThrough, subjectsOf } from "./role-surfaces.ts"
import type { RoleCatalog } from "./role-surfaces.ts"

let product: Product
let store: Store
beforeAll(async () => {
  product = await startProduct()
  store = await openSqliteStore({ path: join(product.dataDir, "executor.db") })
})
afterAll(async () => {
  await store.close()
  await product.stop()
})

const slugs = ["alpha", "beta", "alphabet"]
const tools = ["items.list", "items.create", "items.deep.list", "people.list", "ping"]
const catalogs = fc.record(Object.fromEntries(slugs.map((slug) => [slug, fc.subarray(tools, { minLength: 1 })])))
const segments = fc.constantFrom("items", "people", "list", "create", "deep", "*", "**", "l*", "*t")
/** Short ones too, which match no tool, or everything. */
const pattern = fc
  .tuple(fc.constantFrom(...slugs, "*", "**", "alpha*", "gamma"), fc.array(segments, { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest].join("."))
const patterns = fc.array(pattern, { maxLength: 4 })
const blocks = fc.array(fc.tuple(fc.constantFrom(...slugs), fc.constantFrom(...tools)), { maxLength: 2 })

const isNamed = (all: readonly string[], subject: string): boolean => all.some((one) => matchesPattern(compilePattern(one), subject))

test("what is listed is exactly what can be called", { timeout: 240_000 }, async () => {
  let people = 0
  const property = fc.asyncProperty(
    catalogs,
    patterns,
    fc.option(patterns),
    blocks,
    async (catalog: RoleCatalog, role, narrowed, blocked) => {
      const upstream = await connectCatalog(catalog, product)
      const rules = await Promise.all(
        blocked.map(([slug, tool]) => product.client.policies.create({ owner: "org", pattern: `${slug}.*.*.${tool}`, action: "block" })),
      )
      const token = await personWith(store, `person${(people += 1)}`, role, { narrowed })
      const expected = subjectsOf(catalog)
        .filter((subject) => isNamed(role, subject) && (narrowed === null || isNamed(narrowed, subject)))
        .filter((subject) => !blocked.some(([slug, tool]) => subject === `${slug}.${tool}`))
      for (const [surface, seen] of Object.entries(await seenThrough(product, token, catalog)))
        expect({ surface, seen }).toEqual({ surface, seen: expected })
      expect([...new Set(upstream.called)].toSorted()).toEqual(expected)
      const isIncluded = (subject: string): boolean => isNamed(role, subject) && (narrowed === null || isNamed(narrowed, subject))
      const all = [...expected, ...builtinKeys.map((key) => `builtin.${key}`).filter(isIncluded)]
      const services = new Set(all.map((subject) => subject.split(".")[0])).size
      const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
      expect(await describedReach(product, token)).toBe(`${counted(all.length, "tool")} of ${counted(services, "connected service")}`)
      for (const rule of rules) await product.client.policies.remove(rule.id)
      for (const slug of Object.keys(catalog)) await product.client.integrations.remove(slug)
      await upstream.close()
    },
  )
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
})
