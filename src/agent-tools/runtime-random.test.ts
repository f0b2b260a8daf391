// Random turns: whatever calls do and whenever they are cancelled, each gets one output, and exclusive ones run alone.
import fc from "fast-check"
import { expect, test } from "vitest"
import { FunctionCallError } from "./function-call-error.ts"
import { ToolRegistryBuilder } from "./registry-builder.ts"
import { ToolRouter } from "./router.ts"
import { ToolCallRuntime } from "./runtime.ts"
import type { ToolHandler } from "./tool.ts"

type Plan = {
  readonly name: "shared" | "alone" | "nope"
  readonly turns: number
  readonly end: "output" | "refusal" | "bug"
  /** After so many turns of the event loop; null for never. */
  readonly cancelAfter: number | null
}

const plans = fc.array(
  fc.record({
    name: fc.constantFrom<Plan["name"]>("shared", "shared", "alone", "nope"),
    turns: fc.nat(4),
    end: fc.constantFrom<Plan["end"]>("output", "output", "refusal", "bug"),
    cancelAfter: fc.option(fc.nat(12)),
  }),
  { minLength: 1, maxLength: 12 },
)
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test("every call gets exactly one output, which is true", async () => {
  await fc.assert(fc.asyncProperty(plans, checkTurn), { numRuns: 300 })
})

async function checkTurn(turnPlans: readonly Plan[]): Promise<void> {
  const running = new Set<string>()
  const overlaps: string[] = []
  const started: string[] = []
  const ended = new Set<string>()
  const handler: ToolHandler = {
    kind: "function",
    async handle({ callId, toolName, signal }) {
      const plan = turnPlans[Number(callId)]
      if (plan === undefined) throw new Error(`There is no call ${callId}`)
      started.push(callId)
      if (running.size > 0 && (toolName === "alone" || running.has("alone"))) overlaps.push(callId)
      running.add(toolName === "alone" ? "alone" : callId)
      try {
        for (let turn = 0; turn < plan.turns; turn += 1) {
          await turnOfTheLoop()
          signal.throwIfAborted()
        }
        ended.add(callId)
        if (plan.end === "refusal") throw FunctionCallError.respondToModel("refused")
        if (plan.end === "bug") throw new Error("bug")
        return { type: "function", content: "done", success: true }
      } finally {
        running.delete(toolName === "alone" ? "alone" : callId)
      }
    },
  }
  const builder = new ToolRegistryBuilder()
  for (const name of ["shared", "alone"]) {
    builder.pushSpecWithParallelSupport({ type: "function", name, description: "", parameters: {} }, name === "shared")
    builder.registerHandler(name, handler)
  }
  const [specs, registry] = builder.build()
  const runtime = new ToolCallRuntime({
    router: new ToolRouter({ specs, registry }),
    session: {},
    turn: { toolCallGate: { waitReady: async () => {} } },
  })
  const outputs = await Promise.all(
    turnPlans.map(async (plan, index) => {
      const controller = new AbortController()
      const call = { toolName: plan.name, callId: String(index), payload: { type: "function", arguments: "{}" } } as const
      const output = runtime.handleToolCall(call, controller.signal)
      for (let turn = 0; plan.cancelAfter !== null && turn < plan.cancelAfter; turn += 1) await turnOfTheLoop()
      if (plan.cancelAfter !== null) controller.abort()
      return output
    }),
  )
  expect(overlaps).toEqual([])
  expect(running.size).toBe(0)
  expect(new Set(started).size).toBe(started.length)
  for (const [index, output] of outputs.entries()) {
    expect(output.call_id).toBe(String(index))
    const content = output.type === "function_call_output" ? output.output.content : ""
    const plan = turnPlans[index]
    const texts = { output: "done", refusal: "refused", bug: "bug" }
    // A call that ended has its real output, and one that is said to be aborted has not ended.
    if (ended.has(String(index))) expect(content).toBe(plan === undefined ? "" : texts[plan.end])
    else if (content !== "unsupported call: nope") expect(content).toMatch(/^aborted by user after \d+\.\ds$/)
  }
}
