// A complete agent: MCP servers, a shell and the catalog behind one router, with any model that speaks chat completions.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { createInterface } from "node:readline/promises"
import { McpConnectionManager, ToolCallRuntime, ToolRouter, catalogTools, loadToolsConfig } from "toolplane/agent"
import { readChatAnswer, toChatMessages, toChatTools } from "toolplane/agent"
import type { CatalogExecutor, ChatAnswer, ToolSession } from "toolplane/agent"
import { createClient } from "toolplane/client"

export type AgentOptions = {
  readonly model: { readonly baseUrl: string; readonly name: string; readonly apiKey: string }
  /** Whose catalog the model gets. */
  readonly executor: CatalogExecutor
  /** A TOML file with the workspace, the shell's settings and the MCP servers. */
  readonly configFile: string
  /** Asks the human at the terminal, for example whether a command may leave the sandbox. */
  readonly session: ToolSession
}

const instructions = "You are a helpful assistant. If a tool waits for approval, tell the user where, then call resume."
const stepsMax = 30

export async function runAgent(question: string, options: AgentOptions, signal = new AbortController().signal): Promise<string> {
  const config = await loadToolsConfig(options.configFile)
  const mcp = await McpConnectionManager.start(config.mcpServers)
  for (const { server, message } of mcp.failures) console.error(`Without the MCP server ${server}: ${message}`)
  try {
    const parts = [await catalogTools({ executor: options.executor })]
    const router = ToolRouter.fromConfig({ ...config, parts }, await mcp.listAllTools())
    const turn = { toolCallGate: { waitReady: async () => {} } }
    const runtime = new ToolCallRuntime({ router, session: options.session, turn })
    const messages: object[] = [
      { role: "system", content: instructions },
      { role: "user", content: question },
    ]
    for (let step = 0; step < stepsMax; step++) {
      const answer = await askModel(messages, toChatTools(router.specs), options.model, signal)
      const { message, items } = readChatAnswer(answer, router.specs)
      messages.push(message)
      if (items.length === 0) return typeof message.content === "string" ? message.content : ""
      const batch = runtime.startBatch(signal)
      for (const item of items) batch.add(item)
      messages.push(...toChatMessages(await batch.outputs()))
    }
    throw new Error(`The model has not finished after ${stepsMax} steps`)
  } finally {
    await mcp.close()
  }
}

async function askModel(messages: object[], tools: object[], model: AgentOptions["model"], signal: AbortSignal): Promise<ChatAnswer> {
  const response = await fetch(`${model.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${model.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: model.name, messages, tools }),
    signal,
  })
  if (!response.ok) throw new Error(`The model answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
  const { choices } = (await response.json()) as { choices?: { message: ChatAnswer }[] }
  const [choice] = choices ?? []
  if (choice === undefined) throw new Error("The model gave no answer")
  return choice.message
}

/** `node agent.ts "What is in this folder?"`, with the settings in the environment. */
async function main(question: string): Promise<void> {
  const setting = (name: string): string => process.env[name] ?? fail(`Set ${name}`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const stop = new AbortController()
  terminal.once("SIGINT", () => stop.abort())
  const options: AgentOptions = {
    model: { baseUrl: setting("MODEL_URL"), name: setting("MODEL"), apiKey: process.env["MODEL_KEY"] ?? "" },
    executor: createClient({ origin: setting("EXECUTOR_ORIGIN"), token: setting("EXECUTOR_TOKEN") }),
    configFile: process.env["TOOLS_CONFIG"] ?? join(import.meta.dirname, "tools.toml"),
    session: { approve: async ({ message }, signal) => /^y/i.test(await terminal.question(`${message} (y/n) `, { signal })) },
  }
  console.log(await runAgent(question, options, stop.signal).finally(() => terminal.close()))
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv[2] ?? fail("Ask something"))
