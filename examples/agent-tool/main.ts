// A tool of one's own for an agent, in two steps: a handler, and its registration.
import assert from "node:assert/strict"
import { ToolCallRuntime, ToolRegistryBuilder, ToolRouter, readArguments } from "toolplane/agent"
import type { ToolHandler, ToolInvocation, ToolOutput } from "toolplane/agent"

// 1. Create a handler.
class WordCountHandler implements ToolHandler {
  readonly kind = "function"

  async isMutating(): Promise<boolean> {
    return false
  }

  async handle(invocation: ToolInvocation): Promise<ToolOutput> {
    const { text } = readArguments(invocation.payload)
    const words = String(text).split(/\s+/).filter(Boolean)
    return { type: "function", content: `${words.length} words`, success: true }
  }
}

// 2. Register it in a builder.
const builder = new ToolRegistryBuilder()
builder.pushSpec({
  type: "function",
  name: "word_count",
  description: "Counts the words of a text",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
})
builder.registerHandler("word_count", new WordCountHandler())

// That was all: a router finds the calls in a model's answer, and a runtime answers them.
const [specs, registry] = builder.build()
const router = new ToolRouter({ specs, registry })
const turn = { toolCallGate: { waitReady: async () => {} } }
const runtime = new ToolCallRuntime({ router, session: {}, turn })

const batch = runtime.startBatch()
batch.add({ type: "function_call", name: "word_count", arguments: '{"text":"to be or not to be"}', call_id: "call_1" })
batch.add({ type: "function_call", name: "word_count", arguments: "{not json", call_id: "call_2" })
const outputs = await batch.outputs()
console.log(outputs)

assert.deepEqual(outputs[0], {
  type: "function_call_output",
  call_id: "call_1",
  output: { content: "6 words", success: true },
})
// The model reads what was wrong with its second call, and can try again.
assert.equal(outputs[1]?.type === "function_call_output" && outputs[1].output.success, false)
