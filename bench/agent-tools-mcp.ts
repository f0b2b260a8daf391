// How long fifty MCP servers take to start and be listed side by side, beside the slowest of them alone in the same run (at most 1.5 times).
import { McpConnectionManager } from "toolplane/agent"
import type { McpServers } from "toolplane/agent"
import { stdioConfig } from "../test/servers/mcp-npm.ts"
import { plainTool, startScriptedMcp } from "../test/servers/mcp-scripted.ts"
import { median, table, timed } from "./measure.ts"

const rounds = 5
const serverCount = 50
/** How long every answer of a server takes: as a server of the internet, the slowest as one far away. */
const latencyMs = { usual: 40, slowest: 250 }

const tools = Array.from({ length: 20 }, (_, index) => plainTool(`tool_${index}`, { description: "Does something." }))
const servers = await Promise.all(
  Array.from({ length: serverCount }, (_, index) =>
    startScriptedMcp({
      answer: ({ method }) => (method === "tools/list" ? { tools } : undefined),
      latencyMs: index === 0 ? latencyMs.slowest : latencyMs.usual,
    }),
  ),
)
const overHttp: McpServers = Object.fromEntries(servers.map(({ url }, index) => [`http${index}`, { url, required: true }]))
const { command, args } = stdioConfig("memory")
const programs: McpServers = Object.fromEntries([1, 2].map((index) => [`program${index}`, { command, args, required: true }]))

async function listed(given: McpServers): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    let mcp: McpConnectionManager | null = null
    const ms = await timed(async () => {
      mcp = await McpConnectionManager.start(given)
      await mcp.listAllTools()
    })
    times.push(ms)
    await (mcp as McpConnectionManager | null)?.close() // set inside of the work
  }
  return median(times)
}

const only = (given: McpServers, name: string): McpServers => Object.fromEntries(Object.entries(given).filter(([one]) => one === name))

// The first start loads the protocol's library.
await listed(only(overHttp, "http1"))
const rows: string[][] = []
const measure = async (what: string, given: McpServers, baseMs: number | null): Promise<number> => {
  const ms = await listed(given)
  rows.push([what, ms.toFixed(0), baseMs === null ? "" : (ms / baseMs).toFixed(2)])
  return ms
}
const slowestMs = await measure("the slowest server over HTTP alone", only(overHttp, "http0"), null)
await measure(`${serverCount} servers over HTTP`, overHttp, slowestMs)
const programsMs = await measure("2 programs alone", programs, null)
await measure(
  `${serverCount - 2} servers over HTTP and 2 programs`,
  { ...Object.fromEntries(Object.entries(overHttp).slice(0, -2)), ...programs },
  Math.max(slowestMs, programsMs),
)
table(["start and list", "ms", "× the slowest"], rows)
await Promise.all(servers.map((server) => server.close()))
