// The tools that the host shows to clients, with descriptions made for one principal.
import type { Tool } from "@modelcontextprotocol/server"
import type { Inventory } from "../../../core/inventory.ts"
import type { Limits } from "../../../core/limits.ts"
import type { HostOptions } from "../host-options.ts"
import { inventoryFooter } from "./inventory-text.ts"

export function toolDefinitions(inventory: Inventory, options: HostOptions, limits: Limits): Tool[] {
  return [
    executeTool(inventory, options, limits),
    ...(options.mode === "native" ? [] : [resumeTool(options)]),
    ...(options.discovery === "tools" ? [searchTool, readTool] : []),
  ]
}

const pauseTexts: Record<HostOptions["mode"], string> = {
  native: "A call that needs approval asks the user before it happens.",
  browser:
    "A call that needs approval pauses the execution: give the user the `approvalUrl`, then call `resume` with `accept`, which waits for their answer.",
  model: "A call that needs approval pauses the execution: ask the user, then pass their answer on with `resume`.",
}

const answerTexts: Record<HostOptions["results"], string> = {
  envelope: "`{ ok: true, data } | { ok: false, error: { code, message } }`; `.unwrap()` gives `data` or throws",
  raw: "its data; failures throw an error with `code` and `message`",
}

function executeTool(inventory: Inventory, { mode, results }: HostOptions, limits: Limits): Tool {
  const services = inventory.items.filter((item) => item.toolCount > 0).length
  const reach = `${counted(inventory.toolCount, "tool")} of ${counted(services, "connected service")}`
  const description = `Execute TypeScript code in a sandboxed runtime, with ${reach} as functions of the global \`tools\`. Use it for whatever concerns the services below; put several calls, loops and filters into one execution.

- Find: \`await tools.search({ query })\` → \`{ items: [{ path, description, requiresApproval }] }\`; \`await tools.describe.tool({ path })\` → its types
- Call: \`await tools.<path>(args)\` → ${answerTexts[results]}
- \`return\` the result; \`emit(value)\` shows something beside it; \`console\` is captured; no fetch, import or process
- ${pauseTexts[mode]}

${inventoryFooter(inventory)}`
  return {
    name: "execute",
    title: "Execute code",
    description,
    inputSchema: {
      type: "object",
      properties: {
        code: { type: "string", description: "TypeScript code to execute: a function body with top-level await and return" },
        timeoutMs: {
          type: "integer",
          minimum: 1,
          maximum: limits.executionWallMsMax,
          description: `Maximum execution time in milliseconds (default ${limits.executionWallMs})`,
        },
      },
      required: ["code"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  }
}

const counted = (count: number, noun: string): string => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`

const resumeTexts = {
  browser:
    "`accept` waits up to 50 seconds for the user to answer at the approvalUrl, or for an execution that still runs; call it again while it says it is waiting or running.",
  model: "Ask the user first, and pass on exactly what they said. `accept` waits up to 50 seconds for an execution that still runs.",
}

const resumeTool = ({ mode }: HostOptions): Tool => ({
  name: "resume",
  title: "Resume an execution",
  description: `Continue an execution that waits for the user or still runs. ${mode === "native" ? "" : resumeTexts[mode]} \`decline\` answers no at once. \`cancel\` stops one that runs; of one that waits it only drops the calls asked for, and the code goes on.`,
  inputSchema: {
    type: "object",
    properties: {
      executionId: { type: "string" },
      action: { type: "string", enum: ["accept", "decline", "cancel"] },
      content: { type: "object", description: "What a form asked for" },
    },
    required: ["executionId", "action"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
})

const searchTool: Tool = {
  name: "search_tools",
  title: "Search tools",
  description: "Find the tools that `execute` can call, by what you want to do.",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 100, default: 12 } },
    required: ["query"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

const readTool: Tool = {
  name: "read_tool",
  title: "Read a tool",
  description: "The TypeScript types and description of one tool that `execute` can call.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false },
  annotations: { readOnlyHint: true, openWorldHint: false },
}
