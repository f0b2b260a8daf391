// Performs the call of one GraphQL tool: writes the operation, sends it, reads the answer.
import type { Limits } from "../../../core/limits.ts"
import { LruMap } from "../../../core/lru-map.ts"
import type { ToolFailure, ToolResult } from "../../../core/result.ts"
import { fail } from "../../../core/result.ts"
import { largeAnswerBytes } from "../../../io/answer-turn.ts"
import { readFailure } from "../../response-error.ts"
import { unconfirmedOrigin } from "../../origin-unconfirmed.ts"
import type { CallRequest, EffectOfArgs } from "../../source-adapter.ts"
import type { FieldBinding, GraphQLBinding, GraphQLConfig } from "../binding.ts"
import { fieldOperation, givenArgs } from "./operation-field.ts"
import { rawOperation } from "./operation-raw.ts"
import type { RawOperation } from "./operation-raw.ts"
import { buildRequest, originOf } from "./request-build.ts"
import { readBodyInSlices, readResponse } from "./response-read.ts"
import { checkSelect } from "./select-check.ts"

type Call = CallRequest<GraphQLConfig>

const bindings = new LruMap<string, GraphQLBinding>(2_000)

export async function callGraphQLTool(call: Call): Promise<ToolResult> {
  const origin = originOf(call.config)
  if (!call.credential.origins.includes(origin)) return unconfirmedOrigin(origin)
  const written = await writeOperation(call)
  if ("ok" in written) return written
  const answer = await call.outbound.send({
    ...buildRequest(call.config, call.credential.placements, written.operation),
    signal: call.signal,
    timeoutMs: call.limits.callTimeoutMs,
    responseBytesMax: call.limits.responseBytesMax,
    arrive: call.answerTurn.arrive,
  })
  if (!answer.ok) return readFailure(answer, written.effect === "read" ? "read" : "change")
  if (answer.bytes.byteLength > largeAnswerBytes) await call.answerTurn.take()
  if (call.signal.aborted) return fail("timeout", "The call was stopped before its answer was read")
  return readResponse(answer, call.limits, await readBodyInSlices(answer))
}

/** Only an operation of the caller's own says with its arguments what it does. */
export function graphQLEffect(tool: Pick<Call["tool"], "binding">, limits: Limits): EffectOfArgs | null {
  const binding = bindingOf(tool)
  if (binding.kind !== "raw") return null
  return async (args) => {
    const read = await rawOperation(binding, args, limits)
    return "arg" in read ? "write" : read.effect
  }
}

function bindingOf({ binding }: Pick<Call["tool"], "binding">): GraphQLBinding {
  return bindings.get(binding) ?? bindings.set(binding, JSON.parse(binding) as GraphQLBinding) // written by the compiler
}

async function writeOperation(call: Call): Promise<RawOperation | ToolFailure> {
  const binding = bindingOf(call.tool)
  if (binding.kind === "field") return writeFieldOperation(binding, call)
  const read = await rawOperation(binding, call.args, call.limits)
  return "arg" in read ? invalid(read.arg, read.message) : read
}

async function writeFieldOperation(binding: FieldBinding, call: Call): Promise<RawOperation | ToolFailure> {
  const { selection } = binding
  const written = (text: string): RawOperation => ({
    effect: binding.operation === "query" ? "read" : "write",
    operation: fieldOperation(binding, call.args, text),
  })
  const select = selection === null ? undefined : call.args[selection.arg]
  if (selection === null || typeof select !== "string") return written(selection?.text ?? "")
  const verdict = await checkSelect(select, { ...binding, selection }, givenArgs(binding, call.args), call.definitions)
  if (!verdict.ok) return invalid(selection.arg, `'${selection.arg}' is not a selection on ${selection.on}: ${verdict.message}`)
  return written(verdict.selection)
}

const invalid = (path: string, message: string): ToolFailure =>
  fail("invalid_arguments", message, { details: { issues: [{ path, code: "invalid_value", message }] } })
