// How the two tools of code mode are described to a model: `execute` and `resume`.
import type { ResultsMode } from "../execution.ts"
import type { Inventory } from "../inventory.ts"
import type { Limits } from "../limits.ts"
import type { ElicitationMode } from "../token.ts"
import { inventoryFooter } from "./inventory.ts"

/** A tool as the protocols of clients and the APIs of models describe it. */
export type DescribedTool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown }
}

const pauseTexts: Readonly<Record<ElicitationMode, string>> = {
  native: "A call that needs approval asks the user before it happens.",
  browser:
    "A call that needs approval pauses the execution: give the user the `approvalUrl`, then call `resume` with `accept`, which waits for their answer.",
  model: "A call that needs approval pauses the execution: ask the user, then pass their answer on with `resume`.",
}

const answerTexts: Readonly<Record<ResultsMode, string>> = {
  envelope: "`{ ok: true, data } | { ok: false, error: { code, message } }`; `.unwrap()` gives `data` or throws",
  raw: "its data; failures throw an error with `code` and `message`",
}

export type CodeModeOptions = { readonly mode: ElicitationMode; readonly results: ResultsMode }

/** With the rest of its description and `resume` beside it, `execute` stays below 1,200 tokens. */
const inventoryChars = 1600

export function executeTool(
  inventory: Inventory,
  { mode, results }: CodeModeOptions,
  limits: Limits,
  inventoryCharsMax = inventoryChars,
): DescribedTool {
  const services = inventory.items.filter((item) => item.toolCount > 0).length
  const reach = `${counted(inventory.toolCount, "tool")} of ${counted(services, "connected service")}`
  const description = `Execute TypeScript code in a sandboxed runtime, with ${reach} as functions of the global \`tools\`. Use it for whatever concerns the services below; put several calls, loops and filters into one execution.

1. Find: \`await tools.search({ query })\` → \`{ items: [{ path, signature, description, requiresApproval }], weak? }\`
2. Call: \`await tools.<path>(args)\` → ${answerTexts[results]}
3. Where the signature is not enough: \`await tools.describe.tool({ path })\` → types; with \`definitions: ["Name"]\` → those that they name

- Make independent writes with \`Promise.all\`: one pause
- \`return\` the result; \`emit(value)\` shows something beside it; \`console\` is captured; no fetch, import or process
- ${pauseTexts[mode]}

The tooling tip is for surveying a catalog; a task needs only the steps above.

${inventoryFooter(inventory, inventoryCharsMax)}`
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
  }
}

const counted = (count: number, noun: string): string => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`

const resumeTexts = {
  browser:
    "`accept` waits up to 50 seconds for the user to answer at the approvalUrl, or for an execution that still runs; call it again while it says it is waiting or running.",
  model: "Ask the user first, and pass on exactly what they said. `accept` waits up to 50 seconds for an execution that still runs.",
}

export const resumeTool = (mode: ElicitationMode): DescribedTool => ({
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
})
