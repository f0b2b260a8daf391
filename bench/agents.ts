// What a run of an agent costs beside the AI SDK's own loop, against the same model server in the same process, in turns.
//
// Both ask a scripted model over HTTP and call an HTTP API once a step. Ours journals every answer durably before its call
// starts, and the call passes the gate; the SDK's loop keeps everything in memory.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { generateText, jsonSchema, stepCountIs, tool } from "ai"
import { createExecutor } from "toolplane"
import { startModelServer } from "../test/servers/model.ts"
import { quantile, table } from "./measure.ts"

const steps = 10
const rounds = 30
const atOnce = 200

const upstream = createServer((_, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end('{"id":1,"name":"thing"}'),
)
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` // it listens on a port

/** One call a step, then the answer; `none` answers at once. */
const model = await startModelServer((request) => {
  const [name] = request.tools
  const done = request.outputs.length
  return name === undefined || request.userText === "none" || done >= steps
    ? { text: "Done." }
    : { calls: [{ name, arguments: { id: done } }] }
})

const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const executor = await createExecutor({ dataDir })
const parameters = [{ name: "id", in: "path", required: true, schema: { type: "integer" } }]
await executor.integrations.add({
  slug: "things",
  kind: "openapi",
  config: {
    spec: {
      openapi: "3.1.0",
      info: { title: "Things", version: "1" },
      servers: [{ url: origin }],
      paths: { "/things/{id}": { get: { operationId: "things/get", parameters, responses: { 200: { description: "ok" } } } } },
    },
  },
})
await executor.connections.create({ integration: "things" })
await executor.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
const made = await executor.agents.create({
  slug: "worker",
  name: "Worker",
  instructions: "Work.",
  model: { provider: "local", name: "scripted" },
  tools: ["things.**"],
})
await executor.agents.publish(made.id)

const language = createOpenAICompatible({ name: "local", baseURL: model.baseUrl, includeUsage: true }).chatModel("scripted")
const things = tool({
  description: "Reads a thing",
  inputSchema: jsonSchema<{ id: number }>({ type: "object", properties: { id: { type: "integer" } }, required: ["id"] }),
  execute: async ({ id }) => (await fetch(`${origin}/things/${id}`)).json(),
})

const ours = async (text: string): Promise<void> => {
  const reply = await executor.agents.run("worker", { text })
  if (reply.output !== "Done.") throw new Error(`A run ended with ${reply.text}`)
}
const theirs = async (prompt: string): Promise<void> => {
  const { text } = await generateText({ model: language, system: "Work.", prompt, tools: { things }, stopWhen: stepCountIs(steps + 2) })
  if (text !== "Done.") throw new Error(`The SDK's loop ended with ${text}`)
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

const times = { oursNone: [] as number[], theirsNone: [] as number[], ours: [] as number[], theirs: [] as number[] }
for (let round = -3; round < rounds; round += 1) {
  const [a, b, c, d] = [
    await elapsed(() => ours("none")),
    await elapsed(() => theirs("none")),
    await elapsed(() => ours("work")),
    await elapsed(() => theirs("work")),
  ]
  if (round < 0) continue // warm-up
  times.oursNone.push(a)
  times.theirsNone.push(b)
  times.ours.push(c)
  times.theirs.push(d)
}
/** On a busy machine a durable write waits for its turn more often than not: the tenth part shows what the work itself takes. */
const perStep = (whole: readonly number[], none: readonly number[], share: number): number =>
  (quantile(whole, share) - quantile(none, share)) / steps

async function together(work: (text: string) => Promise<void>): Promise<{ readonly perSecond: number; readonly rssMb: number }> {
  const ms = await elapsed(() => Promise.all(Array.from({ length: atOnce }, () => work("work"))))
  return { perSecond: (atOnce / ms) * 1000, rssMb: process.memoryUsage.rss() / 1024 ** 2 }
}
const theirsTogether = await together(theirs)
const oursTogether = await together(ours)

const row = (name: string, own: number, other: number, unit: string): string[] => [
  name,
  `${own.toFixed(2)} ${unit}`,
  `${other.toFixed(2)} ${unit}`,
  (own / other).toFixed(2),
]
table(
  ["", "Executor", "AI SDK", "ratio"],
  [
    ...[0.1, 0.5].flatMap((share) => [
      row(`a run without calls, p${share * 100}`, quantile(times.oursNone, share), quantile(times.theirsNone, share), "ms"),
      row(
        `a step with one call, p${share * 100}`,
        perStep(times.ours, times.oursNone, share),
        perStep(times.theirs, times.theirsNone, share),
        "ms",
      ),
    ]),
    row(`${atOnce} runs at once`, oursTogether.perSecond, theirsTogether.perSecond, "runs/s"),
    row("RSS after them", oursTogether.rssMb, theirsTogether.rssMb, "MB"),
  ],
)

await executor.close()
await model.close()
upstream.closeAllConnections()
upstream.close()
rmSync(dataDir, { recursive: true })
