// What routing, the lock and the dispatch of a tool call cost, beside a bare call of its handler in the same run (at most 50 µs a call).
import { ToolCallRuntime, ToolRegistryBuilder, ToolRouter } from "toolplane/agent"
import type { ResponseItem, ToolHandler } from "toolplane/agent"
import { median, quantile, table, timed } from "./measure.ts"

const rounds = 20_000
const handler: ToolHandler = { kind: "function", handle: async () => ({ type: "function", content: "" }) }
const builder = new ToolRegistryBuilder()
for (const [name, parallel] of [
  ["shared", true],
  ["alone", false],
] as const) {
  builder.pushSpecWithParallelSupport({ type: "function", name, description: "", parameters: {} }, parallel)
  builder.registerHandler(name, handler)
}
const [specs, registry] = builder.build()
const router = new ToolRouter({ specs, registry })
const turn = { toolCallGate: { waitReady: async () => {} } }
const runtime = new ToolCallRuntime({ router, session: {}, turn })
const item = (name: string): ResponseItem => ({ type: "function_call", name, arguments: "{}", call_id: "c" })

async function dispatch(name: string): Promise<void> {
  const call = router.buildToolCall(item(name))
  if (call !== null) await runtime.handleToolCall(call)
}

const invocation = {
  session: {},
  turn,
  tracker: runtime.tracker,
  callId: "c",
  toolName: "shared",
  payload: { type: "function", arguments: "{}" },
  signal: new AbortController().signal,
} as const
const bare = await measure(() => handler.handle(invocation))
const rows = [
  row("handler alone", bare),
  row("one call, parallel tool", await measure(() => dispatch("shared"))),
  row("one call, sequential tool", await measure(() => dispatch("alone"))),
  row("1,000 calls queued, parallel tool", await queued("shared")),
  row("1,000 calls queued, sequential tool", await queued("alone")),
]
table(["what", "µs a call, p50", "p99", "× handler alone"], rows)

async function measure(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < 2 * rounds; round += 1) {
    const ms = await timed(work)
    if (round >= rounds) times.push(ms * 1000)
  }
  return times
}

/** The calls of one answer: all are there before the first has ended. */
async function queued(name: string): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < 50; round += 1) {
    const batch = runtime.startBatch()
    const ms = await timed(async () => {
      for (let call = 0; call < 1000; call += 1) batch.add(item(name))
      await batch.outputs()
    })
    if (round >= 10) times.push(ms)
  }
  return times
}

function row(what: string, times: readonly number[]): string[] {
  return [what, median(times).toFixed(1), quantile(times, 0.99).toFixed(1), (median(times) / median(bare)).toFixed(1)]
}
