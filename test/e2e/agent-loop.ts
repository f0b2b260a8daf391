// A small agent for tests: asks a scripted model over the Responses API, and lets `toolplane/agent` answer its calls until it has none.
import type { ResponseInputItem, ResponseItem, ToolsConfig } from "../../src/agent-tools/index.ts"
import { ToolCallRuntime, ToolRouter } from "../../src/agent-tools/index.ts"
import type { ModelServer } from "../servers/model.ts"

export type Conversation = {
  readonly text: string
  /** The outputs of the tools, in the order in which the model got them. */
  readonly outputs: readonly { readonly callId: string; readonly content: string; readonly success: boolean | undefined }[]
}

const stepsMax = 20

export async function converse(question: string, config: ToolsConfig, model: ModelServer, signal?: AbortSignal): Promise<Conversation> {
  const router = ToolRouter.fromConfig(config)
  const runtime = new ToolCallRuntime({ router, session: {}, turn: { toolCallGate: { waitReady: () => Promise.resolve() } } })
  const tools = router.specs.map((spec) => ({ ...spec, type: spec.type === "function" ? "function" : "custom" }))
  const input: object[] = [{ role: "user", content: question }]
  const outputs: Conversation["outputs"][number][] = []
  for (let step = 0; step < stepsMax; step++) {
    const response = await fetch(`${model.baseUrl}/responses`, {
      method: "POST",
      body: JSON.stringify({ model: "scripted", input, tools }),
    })
    if (!response.ok) throw new Error(await response.text())
    const { output } = (await response.json()) as { output: ResponseItem[] }
    const batch = runtime.startBatch(signal)
    const calls = output.filter((item) => batch.add(item))
    if (calls.length === 0) return { text: textOf(output), outputs }
    const answers = await batch.outputs()
    input.push(...output, ...answers.map(toInput))
    outputs.push(...answers.map(seen))
  }
  throw new Error(`The model made calls in ${stepsMax} steps`)
}

/** The API takes the content alone. */
const toInput = (item: ResponseInputItem): object =>
  item.type === "function_call_output" ? { ...item, output: item.output.content } : item

function seen(item: ResponseInputItem): Conversation["outputs"][number] {
  if (item.type !== "function_call_output") throw new Error(`No tool of this agent answers with ${item.type}`)
  return { callId: item.call_id, content: item.output.content, success: item.output.success }
}

const textOf = (output: readonly ResponseItem[]): string =>
  output
    .flatMap((item) => ("content" in item ? (item.content as { text?: string }[]) : []))
    .map(({ text = "" }) => text)
    .join("")
