// What roles cost: search and list over 100,000 tools for somebody with 50 roles of 20 patterns each, beside somebody who sees everything.
//
// Both ask in turns in the same run, so that whatever else the machine does slows both. A page is as long for both. Half
// of the integrations are whole for the 50 roles, which a median does not look behind: a second person sees some of each.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Principal } from "../src/core/principal.ts"
import { silentLog } from "../src/io/log.ts"
import { readSettings } from "../src/local/settings.ts"
import { openProduct } from "../src/preset/product.ts"
import { connectionRow, integrationRow, roleRow, toolSet, userRow } from "../src/store/testing/samples.ts"
import { median, quantile, table, timed } from "./measure.ts"

const integrations = 50
const areas = 40
const verbs = ["list", "get", "create", "update", "delete"]
const nouns = ["issues", "orders", "invoices", "people", "teams", "files", "messages", "events", "reports", "labels"]
const roles = 50
const rounds = 760
const ratioMax = 1.3

const dataDir = mkdtempSync(join(tmpdir(), "executor-roles-"))
const options = {
  isLoopbackOnly: true,
  startsWarm: false,
  log: silentLog,
  approvalUrl: () => null,
  pagesUrl: () => null,
  publicUrl: () => null,
}
const product = await openProduct(readSettings({ EXECUTOR_DATA_DIR: dataDir }), options)
const { store } = product
const tenant = "default"

const namesOf = (integration: number): string[] =>
  Array.from({ length: areas }, (_, area) =>
    nouns.flatMap((noun) => verbs.map((verb) => `area${area}.${noun}${integration}.${verb}`)),
  ).flat()

for (let number = 0; number < integrations; number += 1) {
  const slug = `service_${number}`
  const scope = { tenant, user: "local" }
  await store.integrations.put(scope, integrationRow(slug))
  await store.toolSets.put(scope, toolSet(`set_${number}`, namesOf(number)))
  await store.connections.put(
    scope,
    connectionRow(slug, "org", "main", { toolSetId: `set_${number}`, toolsSyncedAt: new Date().toISOString() }),
  )
}

/** Of every kind that people write: a whole integration, an area, a group, one tool, a verb anywhere in an integration, one tool of all of them. */
const patternsOf = (role: number): string[] =>
  Array.from({ length: 20 }, (_, number) => {
    const slug = `service_${(role + number) % integrations}`
    const area = `area${(role * 7 + number) % areas}`
    const noun = nouns[number % nouns.length] ?? ""
    const whole = role % 2 === 0 ? `service_${role}.**` : `service_${role}.area3.**`
    const kinds = [whole, `${slug}.${area}.**`, `${slug}.${area}.*.*`, `${slug}.${area}.${noun}*.get`, `${slug}.**.list`]
    return number === 19 ? `*.${area}.*.create` : (kinds[number % kinds.length] ?? "")
  })

const ids = Array.from({ length: roles }, (_, role) => `role_${role}`)
for (const [role, id] of ids.entries()) await store.roles.put(tenant, roleRow({ id, name: id, patterns: patternsOf(role) }))
const person = async (user: string, held: readonly string[]): Promise<Principal> => {
  await store.users.put(userRow({ tenant, user }, { roles: held.map((role) => ({ role, from: "given" as const })) }))
  return { tenant, user, roles: held, rights: [], kind: "human", tokenId: null }
}
const everyone = product.core.as(await person("everyone", ["member"]))
await store.roles.put(tenant, roleRow({ id: "some", name: "some", patterns: ["*.**.list", "*.**.create"] }))
const some = product.core.as(await person("some", ["some"]))
const many = product.core.as(await person("many", ids))

const queries = ["list the invoices", "delete a label", "create an order in area 7", "who is in a team", "events of service 12"]
type Api = typeof everyone
/** Each goes through the whole list, page by page. */
const cursors = new Map<Api, string | null>()
async function nextPage(api: Api): Promise<void> {
  const cursor = cursors.get(api) ?? null
  cursors.set(api, (await api.tools.page({}, { limit: 100, ...(cursor === null ? {} : { cursor }) })).nextCursor)
}
const works: Record<string, (api: Api, round: number) => Promise<unknown>> = {
  search: (api, round) => api.tools.search({ query: queries[round % queries.length] ?? "" }),
  "list, a page of 100": (api) => nextPage(api),
  "list, everything": (api) => api.tools.list(),
}

const rows: string[][] = []
let worst = 0
for (const [name, work] of Object.entries(works)) {
  const people = { everyone, many, some }
  const times = { everyone: [] as number[], many: [] as number[], some: [] as number[] }
  const turns = name === "list, everything" ? 7 : rounds
  for (const api of Object.values(people)) await work(api, 0)
  for (let round = 0; round < turns; round += 1)
    for (const who of ["everyone", "many", "some"] as const) times[who].push(await timed(() => work(people[who], round)))
  const ratios = [times.many, times.some].map((all) => median(all) / median(times.everyone))
  worst = Math.max(worst, ratios[0] ?? 0)
  const cells = Object.values(times).flatMap((all) => [median(all), quantile(all, 0.95)])
  rows.push([name, ...[...cells, ...ratios].map((value) => value.toFixed(2))])
}
const [all, seen] = [await everyone.tools.list(), await many.tools.list()].map((tools) => tools.length)
process.stdout.write(`${all} tools; ${roles} roles of 20 patterns show ${seen} of them\n\n`)
table(["", "no roles p50 ms", "p95", "50 roles p50 ms", "p95", "some of each p50 ms", "p95", "ratio of 50 roles", "of some"], rows)
await product.core.close()
rmSync(dataDir, { recursive: true })
if (worst > ratioMax) {
  process.stdout.write(`\nSlower than ${ratioMax} times\n`)
  process.exitCode = 1
}
