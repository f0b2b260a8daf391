// States what a registry tool does when it is called, by its implementation type.
import type { StaticTools } from "../catalog/static-tool.ts"
import { isRecord } from "../core/json/record.ts"
import type { ToolFacts } from "../core/tool.ts"
import { effectOfMethod } from "../sources/registry/http-call.ts"
import { typeOf } from "./definition.ts"
import type { WorkingCopy } from "./definition.ts"
import type { FunctionNames } from "./parts.ts"

type Done = Pick<ToolFacts, "effect" | "requiresApproval" | "approvalDescription">

/** What its inner calls do is decided by the gate, one by one; an artifact makes none. */
const reads: Done = { effect: "read", requiresApproval: false, approvalDescription: null }
const asks = (what: string): Done => ({ effect: "write", requiresApproval: true, approvalDescription: what })

export function factsOf(
  copy: Pick<WorkingCopy, "implementationType" | "configSchema">,
  { functions, staticTools }: { readonly functions: FunctionNames; readonly staticTools: StaticTools },
): Done {
  const { implementation } = copy.configSchema
  const type = typeOf(copy)
  switch (type) {
    case "http":
      return ofRequest(String(implementation["method"]), String(implementation["url"]))
    case "rag_retrieval":
    case "artifact":
    case "custom":
    case "agent_call":
      return reads
    case "function": {
      const name = String(implementation["function_name"])
      return functions.find(name)?.reads === true ? reads : asks(`Calls the function ${name}`)
    }
    case "mcp": {
      const { annotations } = implementation
      const isRead = isRecord(annotations) && annotations["readOnlyHint"] === true
      return isRead ? reads : asks(`Calls ${String(implementation["tool_name"])} at ${String(implementation["server_url"])}`)
    }
    case "internal": {
      const tool = staticTools.find(`builtin.${String(implementation["builtin"])}`)
      if (tool === undefined) return asks(`Calls the built-in ${String(implementation["builtin"])}`)
      const { effect, requiresApproval, title } = tool
      return { effect, requiresApproval, approvalDescription: requiresApproval ? title : null }
    }
    default:
      return asks(`A tool of the type '${type}', which this version does not know`)
  }
}

/** As for operations of an OpenAPI document. */
function ofRequest(method: string, url: string): Done {
  const effect = effectOfMethod(method)
  return effect === "read" ? reads : { effect, requiresApproval: true, approvalDescription: `${method} ${url}` }
}
