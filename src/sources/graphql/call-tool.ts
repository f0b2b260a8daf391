// Performs the call of one GraphQL tool: writes the operation, sends it, reads the answer.
import { LruMap } from "../../core/lru-map.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import { fail } from "../../core/result.ts"
import { readFailure } from "../response-error.ts"
import { unconfirmedOrigin } from "../origin-unconfirmed.ts"
import type { CallRequest } from "../source-adapter.ts"
import type { FieldBinding, GraphQLBinding, GraphQLConfig } from "./binding.ts"
import { fieldOperation, givenArgs } from "./operation-field.ts"
import { rawOperation } from "./operation-raw.ts"
import type { Operation } from "./request-build.ts"
import { buildRequest, originOf } from "./request-build.ts"
import { readResponse } from "./response-read.ts"
import { checkSelect } from "./select-check.ts"

type Call = CallRequest<GraphQLConfig>

const bindings = new LruMap<string, GraphQLBinding>(2_000)

export async function callGraphQLTool(call: Call): Promise<ToolResult> {
  const origin = originOf(call.config)
  if (!call.credential.origins.includes(origin)) return unconfirmedOrigin(origin)
  const operation = await writeOperation(call)
  if ("ok" in operation) return operation
  const answer = await call.outbound.send({
    ...buildRequest(call.config, call.credential.placements, operation),
    signal: call.signal,
    timeoutMs: call.limits.callTimeoutMs,
    responseBytesMax: call.limits.responseBytesMax,
  })
  if (!answer.ok) return readFailure(answer, effectOf(bindingOf(call)))
  return readResponse(answer, call.limits)
}

function bindingOf({ tool }: Call): GraphQLBinding {
  return bindings.get(tool.binding) ?? bindings.set(tool.binding, JSON.parse(tool.binding) as GraphQLBinding) // written by the compiler
}

/** An operation of the caller's own may be anything. */
const effectOf = (binding: GraphQLBinding): "read" | "change" =>
  binding.kind === "field" && binding.operation === "query" ? "read" : "change"

async function writeOperation(call: Call): Promise<Operation | ToolFailure> {
  const binding = bindingOf(call)
  if (binding.kind === "field") return writeFieldOperation(binding, call)
  const operation = await rawOperation(call.args)
  return "arg" in operation ? invalid(operation.arg, operation.message) : operation
}

async function writeFieldOperation(binding: FieldBinding, call: Call): Promise<Operation | ToolFailure> {
  const { selection } = binding
  const select = selection === null ? undefined : call.args[selection.arg]
  if (selection === null || typeof select !== "string") return fieldOperation(binding, call.args, selection?.text ?? "")
  const verdict = await checkSelect(select, { ...binding, selection }, givenArgs(binding, call.args), call.definitions)
  if (!verdict.ok) return invalid(selection.arg, `'${selection.arg}' is no selection on ${selection.on}: ${verdict.message}`)
  return fieldOperation(binding, call.args, verdict.selection)
}

const invalid = (path: string, message: string): ToolFailure =>
  fail("invalid_arguments", message, { details: { issues: [{ path, code: "invalid_value", message }] } })
