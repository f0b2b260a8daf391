// The agent behind a question: whose run asks, and at which of its steps.
import type { AgentProgram } from "../../core/agents/agent.ts"
import type { AskingAgent } from "../../core/execution.ts"
import type { ExecutionRow } from "../../store/execution-store.ts"

/** Empty for code. */
export function askingAgent(
  { program, code }: Pick<ExecutionRow, "program" | "code">,
  { key }: { readonly key: string },
): { readonly agent?: AskingAgent } {
  if (program === "code") return {}
  const { agent } = JSON.parse(code) as AgentProgram // written by `agent-run.ts`
  // As the loop writes the keys of its calls; those of calls inside of them begin so too.
  const [, step] = /^c(\d+):/.exec(key) ?? []
  return { agent: { slug: agent.slug, version: agent.version, ...(step === undefined ? {} : { step: Number(step) }) } }
}
