// GitHub's GraphQL schema listed as tools, beside what the graphql library alone needs to read and check it.
import { monitorEventLoopDelay } from "node:perf_hooks"
import { schema as github } from "@octokit/graphql-schema"
import { buildASTSchema, buildClientSchema, parse, validateSchema } from "graphql"
import type { IntrospectionQuery } from "graphql"
import { noCredential } from "../src/core/auth.ts"
import { defaultLimits } from "../src/core/limits.ts"
import { silentLog } from "../src/io/log.ts"
import { checkSelect } from "../src/sources/graphql/call/select-check.ts"
import type { FieldBinding, FieldSelection } from "../src/sources/graphql/binding.ts"
import { listGraphQLTools } from "../src/sources/graphql/list-tools.ts"
import type { ListedTools } from "../src/sources/source-adapter.ts"
import { median, peakRssMegabytes, table, timed } from "./measure.ts"

const rounds = 5
const sdl = github.idl
const introspection = JSON.stringify(github.json)
const outbound = { send: () => Promise.reject(new Error("Nothing is sent")), open: () => Promise.reject(new Error("Nothing is sent")) }

/** As a connection would, in a thread that is started for it. */
const list = (document: string): Promise<ListedTools> =>
  listGraphQLTools({
    config: { endpoint: "https://api.github.com/graphql", headers: {} },
    document,
    connection: null,
    credential: noCredential,
    outbound,
    limits: defaultLimits,
    signal: new AbortController().signal,
    log: silentLog,
  })

async function medianOf(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await timed(() => Promise.resolve(work())))
  return median(times)
}

// `buildSchema` itself refuses GitHub's file, which defines two fields twice; this is what it does without that one rule.
const sdlAlone = await medianOf(() => validateSchema(buildASTSchema(parse(sdl), { assumeValidSDL: true })))
const jsonAlone = await medianOf(() => {
  const answer = JSON.parse(introspection) as { data?: IntrospectionQuery } & IntrospectionQuery // an introspection's answer
  return validateSchema(buildClientSchema(answer.data ?? answer))
})
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const sdlListed = await medianOf(() => list(sdl))
const jsonListed = await medianOf(() => list(introspection))
delay.disable()
const listed = await list(sdl)

const binding = JSON.parse(listed.tools.find((tool) => tool.name === "query.repository")?.binding ?? "") as FieldBinding & {
  selection: FieldSelection
} // it answers an object
const read = (names: readonly string[]): Promise<Map<string, string>> =>
  Promise.resolve(
    new Map(names.flatMap((name) => (listed.definitions.has(name) ? [[name, listed.definitions.get(name) ?? ""] as const] : []))),
  )
const select =
  "{ id name issues(first: 10, states: [OPEN]) { nodes { title author { login ... on User { name } } labels(first: 5) { nodes { name } } } } }"
await checkSelect(select, binding, binding.args, read)
const selects = await medianOf(async () => {
  for (let n = 0; n < 20; n += 1) await checkSelect(select, binding, binding.args, read)
})

const row = (what: string, ms: number, alone: number, more: string): string[] => [
  what,
  `${ms.toFixed(0)} ms`,
  (ms / alone).toFixed(1),
  more,
]
const characters = listed.tools.reduce(
  (sum, tool) => sum + tool.inputSchema.length + (tool.outputSchema?.length ?? 0) + tool.binding.length,
  0,
)
table(
  ["what", "time", "× alone", ""],
  [
    row("SDL: the library reads and checks it (baseline)", sdlAlone, sdlAlone, `${(sdl.length / 1e6).toFixed(1)} MB`),
    row(
      "SDL: parsed and listed, thread and all",
      sdlListed,
      sdlAlone,
      `${listed.tools.length} tools, ${listed.definitions.size} definitions`,
    ),
    row("introspection: the library reads and checks it (baseline)", jsonAlone, jsonAlone, `${(introspection.length / 1e6).toFixed(1)} MB`),
    row("introspection: parsed and listed, thread and all", jsonListed, jsonAlone, ""),
    ["longest wait of the server's thread meanwhile", `${(delay.max / 1e6).toFixed(0)} ms`, "", ""],
    ["a selection checked against the schema", `${(selects / 20).toFixed(2)} ms`, "", "five types read"],
    ["tools as they are stored", `${(characters / 1e6).toFixed(1)} MB`, "", `peak RSS ${peakRssMegabytes()} MB`],
  ],
)
