// The loops that the benchmark of agents compares: ours, and the AI SDK's own with the same model and the same tools.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai"
import type { Executor } from "toolplane"
import type { AgentBench } from "./agents-setup.ts"

/** `text`: what the scripted model is to call. */
export type Loop = (text: string) => Promise<void>

export const executorLoop =
  (executor: Executor, { slug }: Pick<AgentBench, "slug">): Loop =>
  async (text) => {
    const reply = await executor.agents.run(slug, { text })
    if (reply.output !== "Done.") throw new Error(`A run ended with ${reply.text}`)
  }

/** It keeps everything in memory, and asks nobody whether a call may be made. Like ours, it streams, or takes answers in one piece. */
export function sdkLoop(form: "streams" | "in one piece", { baseUrl, origin }: Pick<AgentBench, "baseUrl" | "origin">): Loop {
  const model = createOpenAICompatible({ name: "local", baseURL: baseUrl, includeUsage: true }).chatModel("scripted")
  const parameters = jsonSchema<{ id: number }>({ type: "object", properties: { id: { type: "integer" } }, required: ["id"] })
  const tools = {
    things__read: tool({
      description: "Reads a thing",
      inputSchema: parameters,
      execute: async ({ id }) => (await fetch(`${origin}/things/${id}`)).json(),
    }),
    things__make: tool({
      description: "Makes a thing",
      inputSchema: parameters,
      execute: async ({ id }) => (await fetch(`${origin}/things/${id}`, { method: "POST" })).json(),
    }),
  }
  return async (prompt) => {
    const asked = { model, system: "Work.", prompt, tools, stopWhen: stepCountIs(100) }
    const said = form === "streams" ? await streamText(asked).text : (await generateText(asked)).text
    if (said !== "Done.") throw new Error(`The SDK's loop ended with ${said}`)
  }
}
