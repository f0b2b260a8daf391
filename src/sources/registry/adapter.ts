// The source of kind `registry`: performs the calls of tools that people make here, each by its implementation type.
import { noCredential } from "../../core/auth.ts"
import type { Credential } from "../../core/auth.ts"
import { ExecutorError } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"
import { readNamedQueryArgs } from "../../core/retrieval/query-args.ts"
import { implementationTypes } from "../../core/registry/tool.ts"
import type { ImplementationType } from "../../core/registry/tool.ts"
import { fail } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import type { CallRequest, EffectOfArgs, SourceAdapter } from "../source-adapter.ts"
import { createPlans } from "./call-plan.ts"
import type { CallPlan } from "./call-plan.ts"
import { openTool } from "./credential.ts"
import type { OpenTool } from "./credential.ts"
import type { RegistryPorts } from "./ports.ts"
import { callAgent } from "./types/agent-call.ts"
import { callArtifact } from "./types/artifact.ts"
import { callCustom } from "./types/custom.ts"
import { callFunction } from "./types/function.ts"
import { callHttp, previewHttp } from "./types/http.ts"
import { callInternal } from "./types/internal.ts"
import { callMcp } from "./types/mcp.ts"
import { callRagRetrieval } from "./types/rag-retrieval.ts"
import { textOf } from "./types/typed-call.ts"
import type { PerformCall } from "./types/typed-call.ts"

const performers: Readonly<Record<ImplementationType, PerformCall>> = {
  internal: callInternal,
  http: callHttp,
  rag_retrieval: callRagRetrieval,
  agent_call: callAgent,
  function: callFunction,
  custom: callCustom,
  artifact: callArtifact,
  mcp: callMcp,
}

export function createRegistryAdapter(ports: RegistryPorts): SourceAdapter {
  const planOf = createPlans(ports.network)
  /** What was opened for a call lives as long as its credential. */
  const opened = new WeakMap<Credential, OpenTool>()
  return {
    kind: "registry",
    toolsPer: "integration",
    documentField: null,
    parseConfig() {
      throw new ExecutorError(
        "invalid_request",
        "The registry is always there and cannot be added: make a tool with POST /tools, then publish it",
      )
    },
    listTools: () =>
      Promise.reject(new ExecutorError("conflict", "Tools of the registry change when they are published; there is nothing to refresh")),
    async openCredential({ binding: text, ...request }) {
      const { binding, hasSecrets } = planOf(text)
      if (!hasSecrets) return noCredential
      const open = await openTool(binding, request, ports)
      const credential: Credential = { placements: [], origins: [], secrets: open.secrets }
      opened.set(credential, open)
      return credential
    },
    async callTool(request) {
      const plan = planOf(request.tool.binding)
      const { implementation } = plan.binding
      const open = opened.get(request.credential) ?? { implementation, credential: null, secrets: [] }
      const answer = await perform(plan, open, request, ports)
      return withNotice(answer, plan, request)
    },
    makesCalls: ({ binding }) => ["custom", "agent_call"].includes(planOf(binding).type),
    executionOf: ({ binding }) => planOf(binding).execution,
    readArgsOf: ({ binding }) => (isRetrieval(planOf(binding)) ? readNamedQueryArgs : null),
    effectOf: ({ binding }) => effectOfPlan(planOf(binding), ports),
    assumesEffect: ({ binding }) => saysNoEffect(planOf(binding)),
    previewRequest({ binding, args }) {
      const plan = planOf(binding)
      return plan.type === "http" ? previewHttp(plan, args) : null
    },
    /** A URL never leads to the registry. */
    detect: () => Promise.resolve(null),
  }
}

const isRetrieval = ({ type, binding }: CallPlan): boolean =>
  type === "rag_retrieval" || (type === "internal" && binding.implementation["builtin"] === "retrieval_pipeline")

const typeIn = ({ type }: CallPlan): ImplementationType | undefined => implementationTypes.find((one) => one === type)

/** What is not known does nothing: nobody needs to be asked to hear so. */
function effectOfPlan(plan: CallPlan, { functions, builtins }: RegistryPorts): EffectOfArgs | null {
  const { implementation } = plan.binding
  switch (typeIn(plan)) {
    case undefined:
      return async () => "read"
    // The operator may have changed it since the tool was published.
    case "function":
      return async () => (functions.find(textOf(implementation, "function_name"))?.reads === false ? "write" : "read")
    case "internal": {
      const effectOf = builtins.effectOf(textOf(implementation, "builtin"))
      return effectOf === null ? null : async (args) => effectOf(args)
    }
    case "http":
    case "mcp":
    case "rag_retrieval":
    case "artifact":
    case "custom":
    case "agent_call":
      return null
  }
}

function perform(plan: CallPlan, open: OpenTool, request: CallRequest<unknown>, ports: RegistryPorts): Promise<ToolResult> {
  const { type, binding } = plan
  const known = typeIn(plan)
  if (known === undefined)
    return Promise.resolve(
      fail(
        "unknown_implementation_type",
        `registry.${binding.slug} has the implementation type '${type.slice(0, 80)}', which this version does not know; it knows ${implementationTypes.join(", ")}`,
      ),
    )
  return performers[known]({ ...open, plan, request, timeoutMs: timeoutOf(plan, request) }, ports)
}

/** Of `execution.timeout_s` the gate has made the limit of the call already. */
function timeoutOf({ binding }: CallPlan, { limits }: CallRequest<unknown>): number {
  const seconds = binding.implementation["timeout_s"]
  return typeof seconds === "number" && seconds > 0 ? Math.min(seconds * 1000, limits.callTimeoutMs) : limits.callTimeoutMs
}

/** For a tool of an MCP server nobody has said whether it only reads. */
function saysNoEffect({ type, binding }: CallPlan): boolean {
  const { annotations } = binding.implementation
  return type === "mcp" && !(isRecord(annotations) && typeof annotations["readOnlyHint"] === "boolean")
}

/** Code finds it beside the data; whoever follows the execution sees it at once. */
function withNotice(answer: ToolResult, { binding }: CallPlan, { notify }: CallRequest<unknown>): ToolResult {
  const notice = binding.deprecation
  if (notice === null) return answer
  notify({ type: "log", level: "warn", text: notice.message })
  return { ...answer, notice }
}
