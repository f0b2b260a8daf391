// Prints what checking arguments costs: plain calls, wrong calls, preparing, and schemas made to cost.
import { hostileSchemas } from "../test/fixtures/hostile-schemas.ts"
import { prepareArgsCheck } from "../src/arguments/check.ts"
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

/** What this thread worked, so that a busy machine prints the same. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function measure(name: string, count: number, work: (index: number) => unknown): void {
  for (let index = 0; index < Math.min(count, 2000); index++) work(index)
  const start = threadMs()
  for (let index = 0; index < count; index++) work(index)
  print(name, threadMs() - start, count)
}

const schemas = Array.from({ length: 1000 }, (_, index) => schemaOf(index))
const checks = schemas.map((schema) => prepareArgsCheck(schema, none))
const checkOf = (index: number): (typeof checks)[number] => checks[index % checks.length] ?? prepareArgsCheck(true, none)

measure("prepare one of 1,000 schemas", 1000, (index) => prepareArgsCheck(schemas[index % 1000] ?? true, none))
measure("check plain arguments", 200_000, (index) => checkOf(index).check(plain))
measure("check with an alternative (validator)", 50_000, (index) => checkOf(index).check({ ...plain, body: null }))
measure("refuse, with its message", 20_000, (index) => checkOf(index).check({ ownr: "octocat", repo: 1 }))

const row: JsonSchema = {
  type: "object",
  required: ["name", "sku", "qty", "active"],
  additionalProperties: false,
  properties: { name: { type: "string" }, sku: { type: "string" }, qty: { type: "integer" }, active: { type: "boolean" } },
}
const goodRow = (index: number): unknown => ({ name: `n${index}`, sku: `s${index}`, qty: index, active: true })
for (const [name, items] of Object.entries({ plain: row, "of two kinds": { anyOf: [{ type: "object", required: ["id"] }, row] } })) {
  const batch = prepareArgsCheck({ properties: { rows: { type: "array", items } } }, none)
  const good = Array.from({ length: 4000 }, (_, index) => goodRow(index))
  measure(`accept 4,000 rows, ${name}`, 100, () => batch.check({ rows: good }))
  measure(`refuse the last of 4,000 rows, ${name}`, 100, () => batch.check({ rows: [...good, { sku: 1 }] }))
  console.log(`  found: ${!batch.check({ rows: [...good, { sku: 1 }] }).ok}`)
}

for (const [name, { schema, args, definitions = {} }] of Object.entries(hostileSchemas)) {
  // The first runs are what a stranger gets who sends such a thing once: nothing is compiled or prepared yet.
  const runs = 50
  const start = threadMs()
  for (let run = 0; run < runs; run++) prepareArgsCheck(schema, (definition) => definitions[definition]).check(args)
  console.log(`${name.padEnd(44)} ${((threadMs() - start) / runs).toFixed(2).padStart(10)} ms`)
}
