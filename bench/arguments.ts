// Prints what checking arguments costs, and beside it what a plain validator of JSON Schema takes for the same.
//
// The validator (`@cfworker/json-schema`) has its references resolved beforehand and only says yes or no with its flat
// list of errors; `ratio` is how much longer it takes. It has no bounds, so that it is not given the hostile schemas.
import { Validator } from "@cfworker/json-schema"
import { prepareArgsCheck } from "../src/arguments/arguments.ts"
import type { ArgsCheck } from "../src/arguments/arguments.ts"
import type { JsonSchema } from "../src/core/tool.ts"
import { hostileSchemas } from "../test/fixtures/hostile-schemas.ts"
import { table } from "./measure.ts"

const none = (): undefined => undefined
const rounds = 25

/** The fastest round, which a busy machine disturbs least. */
function fastestUs(count: number, work: (index: number) => unknown): number {
  let best = Infinity
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    for (let index = 0; index < count; index++) work(index)
    best = Math.min(best, ((performance.now() - start) * 1000) / count)
  }
  return best
}

const schemaOf = (index: number): JsonSchema => ({
  type: "object",
  required: ["owner", "repo"],
  additionalProperties: false,
  properties: {
    owner: { type: "string", description: "The account owner of the repository." },
    repo: { type: "string", description: "The name of the repository." },
    state: { type: "string", enum: ["open", "closed", "all"], default: "open" },
    labels: { type: "array", items: { type: "string" } },
    per_page: { type: "integer", minimum: 1, maximum: 100, default: 30 },
    page: { type: "integer", default: 1 },
    body: { anyOf: [{ type: "string" }, { type: "null" }] },
    [`field${index}`]: { type: "object", required: ["id"], properties: { id: { type: "integer" }, name: { type: "string" } } },
  },
})
const plain = { owner: "octocat", repo: "hello-world", state: "all", labels: ["bug", "help"], per_page: 50, page: 2 }
const schemas = Array.from({ length: 1000 }, (_, index) => schemaOf(index))

const row: JsonSchema = {
  type: "object",
  required: ["name", "sku", "qty", "active"],
  additionalProperties: false,
  properties: { name: { type: "string" }, sku: { type: "string" }, qty: { type: "integer" }, active: { type: "boolean" } },
}
const rowsOf = (items: JsonSchema): JsonSchema => ({ properties: { rows: { type: "array", items } } })
const twoKinds: JsonSchema = { anyOf: [{ type: "object", required: ["id"] }, row] }
const good = Array.from({ length: 1000 }, (_, index) => ({ name: `n${index}`, sku: `s${index}`, qty: index, active: true }))
const wide: JsonSchema = {
  properties: {
    source: {
      oneOf: Array.from({ length: 40 }, (_, index) => ({
        type: "object",
        required: ["kind", "size"],
        properties: { kind: { const: `kind ${index}` }, size: { type: "integer" } },
      })),
    },
  },
}

const rows: string[][] = []
const add = (name: string, ours: number, theirs: number): void => {
  rows.push([name, ours.toFixed(2), theirs.toFixed(2), (theirs / ours).toFixed(1)])
}

function compare(name: string, count: number, given: readonly JsonSchema[], args: unknown): void {
  const text = JSON.stringify(args)
  const checks: ArgsCheck[] = given.map((schema) => prepareArgsCheck(schema, none))
  const validators = given.map((schema) => new Validator(schema, "2020-12", false))
  const ours = fastestUs(count, (index) => checks[index % checks.length]?.check(args, text))
  add(
    name,
    ours,
    fastestUs(count, (index) => validators[index % validators.length]?.validate(args)),
  )
}

const nth = (index: number): JsonSchema => schemas[index % schemas.length] ?? {}
add(
  "prepare a schema and check with it once",
  fastestUs(1000, (index) => prepareArgsCheck(nth(index), none).check(plain)),
  fastestUs(1000, (index) => new Validator(structuredClone(nth(index)), "2020-12", false).validate(plain)),
)
compare("accept a plain call", 5000, schemas.slice(0, 1), plain)
compare("accept plain calls, 1,000 schemas in turn", 5000, schemas, plain)
compare("accept with an alternative, 1,000 schemas", 5000, schemas, { ...plain, body: null })
compare("refuse one wrong field", 2000, schemas.slice(0, 1), { ...plain, per_page: "5" })
compare("refuse an unknown and a missing name", 2000, schemas.slice(0, 1), { ownr: "octocat", repo: 1 })
compare("accept 1,000 rows", 20, [rowsOf(row)], { rows: good })
compare("refuse the last of 1,001 rows", 20, [rowsOf(row)], { rows: [...good, { sku: 1 }] })
compare("accept 1,000 rows of two kinds", 20, [rowsOf(twoKinds)], { rows: good })
compare("refuse the last of 1,001 of two kinds", 20, [rowsOf(twoKinds)], { rows: [...good, { sku: 1 }] })
compare("accept the last of 40 alternatives", 500, [wide], { source: { kind: "kind 39", size: 1 } })
compare("refuse, of 40 alternatives none fits", 500, [wide], { source: { kind: "other", size: 1 } })
table(["µs", "check", "validator", "ratio"], rows)

console.log("\nhostile schemas, prepared anew each time")
const hostile = Object.entries(hostileSchemas).map(([name, { schema, args, definitions = {} }]) => {
  // The first run is what a stranger gets who sends such a thing once: nothing is compiled or prepared yet.
  const once = (): unknown => prepareArgsCheck(schema, (definition) => definitions[definition]).check(args)
  const start = performance.now()
  once()
  const firstMs = performance.now() - start
  return [name, firstMs.toFixed(2), (fastestUs(1, once) / 1000).toFixed(2)]
})
table(["ms", "first", "fastest"], hostile)
