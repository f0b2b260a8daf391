// What people read of an execution's program.
import { expect, test } from "vitest"
import type { AgentProgram } from "../../core/agents/agent.ts"
import { programText } from "./program-text.ts"

const program = (input: AgentProgram["input"]): string => {
  const definition = {
    name: "Clock",
    description: "Tells the time",
    instructions: "Tell the time.",
    model: { provider: "local", name: "small" },
    tools: [],
    executionMode: "sequential",
    limits: {},
    inputSchema: null,
    outputSchema: null,
  } as const
  const agent = { agentId: "agent_1", slug: "clock", version: "1.2.0", definition, writtenBy: "ann", publishedBy: "ann" }
  return JSON.stringify({ agent, input, own: "all" } satisfies AgentProgram)
}

test("code is shown as it is", () => {
  expect(programText({ program: "code", code: '{"agent":1}' })).toBe('{"agent":1}')
})

test("an agent is shown by its name, with what it was asked and told", () => {
  const code = program({ text: "What time is it?", context: { city: "Oslo" }, messages: [{ role: "user", text: "Hello" }] })
  expect(programText({ program: "agent", code })).toBe(`Agent clock, version 1.2.0, with the model local/small

Input:
context: {"city":"Oslo"}
user: Hello
What time is it?

Instructions:
Tell the time.`)
})

test("an agent that was asked nothing has no input", () => {
  expect(programText({ program: "agent", code: program({}) })).not.toContain("Input")
  expect(programText({ program: "agent", code: program({ input: { order: 42 } }) })).toContain('Input:\n{"order":42}')
})
