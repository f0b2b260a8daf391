// What an execution runs, as people read it: code as it is, an agent by its name, its input and its instructions.
import type { AgentInput, AgentProgram } from "../../core/agents/agent.ts"
import type { ExecutionHead } from "../../store/execution-store.ts"

export function programText({ program, code }: Pick<ExecutionHead, "program" | "code">): string {
  if (program === "code") return code
  const { agent, input } = JSON.parse(code) as AgentProgram // written by whoever started the run
  const { model, instructions } = agent.definition
  const asked = inputText(input)
  return [
    `Agent ${agent.slug}, version ${agent.version}, with the model ${model.provider}/${model.name}`,
    ...(asked === "" ? [] : [`Input:\n${asked}`]),
    `Instructions:\n${instructions}`,
  ].join("\n\n")
}

const inputText = ({ input, text, messages = [], context }: AgentInput): string =>
  [
    ...(context === undefined ? [] : [`context: ${JSON.stringify(context)}`]),
    ...messages.map((message) => `${message.role}: ${message.text}`),
    ...(input === undefined ? [] : [typeof input === "string" ? input : JSON.stringify(input)]),
    ...(text === undefined ? [] : [text]),
  ].join("\n")
