// Prints what checking arguments costs: plain calls, wrong calls, preparing, and schemas made to cost.
import { hostileSchemas } from "../test/fixtures/hostile-schemas.ts"
import { prepareArgsCheck } from "../src/catalog/check-args.ts"
import type { JsonSchema } from "../src/core/tool.ts"

const none = (): undefined => undefined

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

function print(name: string, milliseconds: number, count: number): void {
  console.log(`${name.padEnd(44)} ${((milliseconds * 1000) / count).toFixed(2).padStart(10)} µs`)
}

function measure(name: string, count: number, work: (index: number) => unknown): void {
  for (let index = 0; index < Math.min(count, 2000); index++) work(index)
  const start = performance.now()
  for (let index = 0; index < count; index++) work(index)
  print(name, performance.now() - start, count)
}

const schemas = Array.from({ length: 1000 }, (_, index) => schemaOf(index))
const checks = schemas.map((schema) => prepareArgsCheck(schema, none))
const checkOf = (index: number): (typeof checks)[number] => checks[index % checks.length] ?? prepareArgsCheck(true, none)

measure("prepare one of 1,000 schemas", 1000, (index) => prepareArgsCheck(schemas[index % 1000] ?? true, none))
measure("check plain arguments", 200_000, (index) => checkOf(index).check(plain))
measure("check with an alternative (validator)", 50_000, (index) => checkOf(index).check({ ...plain, body: null }))
measure("refuse, with its message", 20_000, (index) => checkOf(index).check({ ownr: "octocat", repo: 1 }))

for (const [name, { schema, args, definitions = {} }] of Object.entries(hostileSchemas)) {
  const runs = Array.from({ length: 20 }, () => {
    const start = performance.now()
    prepareArgsCheck(schema, (definition) => definitions[definition]).check(args)
    return performance.now() - start
  })
  const sorted = runs.toSorted((a, b) => a - b)
  console.log(`${name.padEnd(44)} ${(sorted[10] ?? 0).toFixed(2).padStart(10)} ms (worst ${(sorted.at(-1) ?? 0).toFixed(2)})`)
}
