// One tool called through the SDK, beside a bare undici request to the same local server in the same run.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Agent, request } from "undici"
import { createExecutor } from "toolplane"
import { median, quantile, table, timed } from "./measure.ts"

const rounds = 3000
const server = createServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"id":1,"name":"thing"}'))
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
const dispatcher = new Agent()
const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const executor = await createExecutor({ dataDir })
await executor.integrations.add({
  slug: "things",
  kind: "openapi",
  config: {
    spec: {
      openapi: "3.1.0",
      info: { title: "Things", version: "1" },
      servers: [{ url: origin }],
      paths: {
        "/things/{id}": {
          get: {
            operationId: "things/get",
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
            responses: { 200: { description: "ok" } },
          },
        },
      },
    },
  },
})
await executor.connections.create({ integration: "things", name: "open" })
await executor.connections.create({
  integration: "things",
  name: "secret",
  auth: { template: "bearer", values: { token: "a-secret-token" } },
})

const bare = async (): Promise<void> => {
  const { body } = await request(`${origin}/things/1`, { dispatcher })
  await body.json()
}
const call = (connection: string) => async (): Promise<void> => {
  const result = await executor.execute(`tools.things.org.${connection}.things.get`, { id: 1 })
  if (!result.ok) throw new Error(result.error.message)
}
const cases = { "undici request (baseline)": bare, "execute, no credential": call("open"), "execute, bearer credential": call("secret") }

const times = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]))
const cpu = new Map<string, number>(Object.keys(cases).map((name) => [name, 0]))
for (let i = -300; i < rounds; i++) {
  for (const [name, work] of Object.entries(cases)) {
    const before = process.cpuUsage()
    const ms = await timed(work)
    const used = process.cpuUsage(before)
    if (i >= 0) times.get(name)?.push(ms)
    if (i >= 0) cpu.set(name, (cpu.get(name) ?? 0) + (used.user + used.system) / rounds)
  }
}
const baseline = median(times.get("undici request (baseline)") ?? [])
table(
  ["what", "p50 ms", "p99 ms", "above baseline", "× baseline", "cpu µs (with the upstream's)"],
  [...times].map(([name, all]) => [
    name,
    median(all).toFixed(3),
    quantile(all, 0.99).toFixed(3),
    `${(median(all) - baseline).toFixed(3)} ms`,
    (median(all) / baseline).toFixed(2),
    (cpu.get(name) ?? 0).toFixed(0),
  ]),
)
await executor.close()
await dispatcher.close()
server.close()
rmSync(dataDir, { recursive: true })
