// The source of kind `agents`: performs the calls of published agents, each as a run inside of its caller's execution.
import type { AgentBinding } from "../../core/agents/agent.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { SourceAdapter } from "../source-adapter.ts"
import { runAgent } from "./run-agent.ts"

export const agentsAdapter: SourceAdapter = {
  kind: "agents",
  toolsPer: "integration",
  documentField: null,
  parseConfig() {
    throw new ExecutorError("invalid_request", "Agents are always there and cannot be added: make one with POST /agents, then publish it")
  },
  listTools: () => Promise.reject(new ExecutorError("conflict", "Agents change when they are published; there is nothing to refresh")),
  callTool: (request) => runAgent({ agent: JSON.parse(request.tool.binding) as AgentBinding, timeoutMs: null }, request), // written by `agents/lifecycle`
  makesCalls: () => true,
  /** A URL never leads to an agent. */
  detect: () => Promise.resolve(null),
}
